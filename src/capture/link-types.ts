type Row = Readonly<{ code: number; name: string }>;

/**
 * LINKTYPE numbers and names, tcpdump.org/linktypes.html, in the registry's order (those that captures of IP traffic meet, and
 * neighbours worth naming). 12 and 14 are what BSDs' own raw IP types became in files that a careless program wrote.
 */
export const LINK_TYPES = [
  { code: 0, name: "NULL" },
  { code: 1, name: "ETHERNET" },
  { code: 3, name: "AX25" },
  { code: 6, name: "IEEE802_5" },
  { code: 7, name: "ARCNET_BSD" },
  { code: 8, name: "SLIP" },
  { code: 9, name: "PPP" },
  { code: 10, name: "FDDI" },
  { code: 12, name: "RAW" },
  { code: 14, name: "RAW" },
  { code: 50, name: "PPP_HDLC" },
  { code: 51, name: "PPP_ETHER" },
  { code: 100, name: "ATM_RFC1483" },
  { code: 101, name: "RAW" },
  { code: 104, name: "C_HDLC" },
  { code: 105, name: "IEEE802_11" },
  { code: 107, name: "FRELAY" },
  { code: 108, name: "LOOP" },
  { code: 109, name: "ENC" },
  { code: 113, name: "LINUX_SLL" },
  { code: 117, name: "PFLOG" },
  { code: 119, name: "IEEE802_11_PRISM" },
  { code: 122, name: "IP_OVER_FC" },
  { code: 127, name: "IEEE802_11_RADIOTAP" },
  { code: 143, name: "DOCSIS" },
  { code: 163, name: "IEEE802_11_AVS" },
  { code: 166, name: "PPP_PPPD" },
  { code: 187, name: "BLUETOOTH_HCI_H4" },
  { code: 189, name: "USB_LINUX" },
  { code: 192, name: "PPI" },
  { code: 195, name: "IEEE802_15_4_WITHFCS" },
  { code: 197, name: "ERF" },
  { code: 201, name: "BLUETOOTH_HCI_H4_WITH_PHDR" },
  { code: 204, name: "PPP_WITH_DIR" },
  { code: 205, name: "C_HDLC_WITH_DIR" },
  { code: 206, name: "FRELAY_WITH_DIR" },
  { code: 219, name: "MPLS" },
  { code: 220, name: "USB_LINUX_MMAPPED" },
  { code: 226, name: "IPNET" },
  { code: 227, name: "CAN_SOCKETCAN" },
  { code: 228, name: "IPV4" },
  { code: 229, name: "IPV6" },
  { code: 230, name: "IEEE802_15_4_NOFCS" },
  { code: 231, name: "DBUS" },
  { code: 239, name: "NFLOG" },
  { code: 240, name: "NETANALYZER" },
  { code: 242, name: "IPOIB" },
  { code: 248, name: "SCTP" },
  { code: 249, name: "USBPCAP" },
  { code: 251, name: "BLUETOOTH_LE_LL" },
  { code: 252, name: "WIRESHARK_UPPER_PDU" },
  { code: 253, name: "NETLINK" },
  { code: 254, name: "BLUETOOTH_LINUX_MONITOR" },
  { code: 258, name: "PKTAP" },
  { code: 266, name: "USB_DARWIN" },
  { code: 271, name: "VSOCK" },
  { code: 274, name: "ETHERNET_MPACKET" },
  { code: 276, name: "LINUX_SLL2" },
  { code: 280, name: "VPP_DISPATCH" },
  { code: 281, name: "DSA_TAG_BRCM" },
  { code: 282, name: "DSA_TAG_BRCM_PREPEND" },
  { code: 284, name: "DSA_TAG_DSA" },
  { code: 285, name: "DSA_TAG_EDSA" },
] as const satisfies readonly Row[];

const NAMES: ReadonlyMap<number, string> = new Map(LINK_TYPES.map(({ code, name }) => [code, name]));

/** A link type in words: `ETHERNET (1)`; one without a name is its number: `link type 147`. */
export function linkTypeName(code: number): string {
  const name = NAMES.get(code);
  return name === undefined ? `link type ${code}` : `${name} (${code})`;
}
