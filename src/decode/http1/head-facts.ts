import { type ContentType, contentTypeOf, isCoded, UNTYPED } from "../content/content-kind.ts";
import { isWhitespace } from "./octets.ts";
import type { Rule } from "./rules.ts";

/** No Content-Length so far. */
export const NO_LENGTH = -1;
/** Content-Length that is no length, or two that differ. */
export const BAD_LENGTH = -2;

const FACT_FIELDS = new Set([
  "host",
  "expect",
  "upgrade",
  "connection",
  "http2-settings",
  "sec-websocket-extensions",
  "content-length",
  "transfer-encoding",
  "content-type",
  "content-encoding",
  "content-range",
]);

/** Whether lines of field `name` (lower case) say anything to {@link HeadFacts}. */
export function isFactField(name: string): boolean {
  return FACT_FIELDS.has(name);
}

/** What a head says about framing, persistence and switching protocols. Holds no list: a head may have any number of lines. */
export class HeadFacts {
  contentLength = NO_LENGTH;
  /** Offset of the last such line. */
  contentLengthAt = 0;
  /** The last transfer coding in lower case, "" when the field is there without one, null when it is not there. */
  lastCoding: string | null = null;
  chunkedTwice = false;
  /** Offset of the first such line. */
  transferEncodingAt = 0;
  /** A coding other than chunked and identity: the message body is not the content. */
  transferCoded = false;
  /** What the first Content-Type says. */
  type: ContentType = UNTYPED;
  #typed = false;
  /** Some Content-Encoding is not `identity`. */
  contentCoded = false;
  /** RFC 9110 §14.4: the content is a part of something. */
  contentRange = false;
  close = false;
  keepAlive = false;
  /** Connection lists `upgrade`. */
  connectionUpgrade = false;
  /** An Upgrade field is there. */
  upgrade = false;
  upgradeH2c = false;
  upgradeWebSocket = false;
  /** RFC 7692: Sec-WebSocket-Extensions names permessage-deflate. */
  permessageDeflate = false;
  /** HTTP2-Settings value, RFC 7540 §3.2.1. */
  http2Settings: string | null = null;
  expectContinue = false;
  host: string | null = null;
  hostCount = 0;

  /** Forget everything: a new head begins. */
  clear(): void {
    this.contentLength = NO_LENGTH;
    this.lastCoding = null;
    this.chunkedTwice = false;
    this.transferCoded = false;
    this.type = UNTYPED;
    this.#typed = false;
    this.contentCoded = false;
    this.contentRange = false;
    this.close = false;
    this.keepAlive = false;
    this.connectionUpgrade = false;
    this.upgrade = false;
    this.upgradeH2c = false;
    this.upgradeWebSocket = false;
    this.permessageDeflate = false;
    this.http2Settings = null;
    this.expectContinue = false;
    this.host = null;
    this.hostCount = 0;
  }

  /**
   * Take a line of a field into account.
   * @param name in lower case, see {@link isFactField}. @param offset of the line. @returns a rule that the line breaks, or null.
   */
  add(name: string, value: string, offset: number): Rule | null {
    switch (name) {
      case "host":
        this.hostCount += 1;
        this.host ??= value;
        return null;
      case "expect":
        // RFC 9110 §10.1.1: the only expectation there is.
        if (value.toLowerCase() === "100-continue") this.expectContinue = true;
        return null;
      case "upgrade":
        this.upgrade = true;
        for (const protocol of listOf(value)) this.#upgradeTo(protocol);
        return null;
      case "sec-websocket-extensions":
        if (listOf(value).some((extension) => /^permessage-deflate(?:[ \t;]|$)/.test(extension))) this.permessageDeflate = true;
        return null;
      case "connection":
        for (const option of listOf(value)) this.#option(option);
        return null;
      case "http2-settings":
        this.http2Settings ??= value;
        return null;
      case "content-length":
        this.contentLengthAt = offset;
        return this.#length(value);
      case "content-type":
        if (!this.#typed) this.type = contentTypeOf(value);
        this.#typed = true;
        return null;
      case "content-encoding":
        if (isCoded(value)) this.contentCoded = true;
        return null;
      case "content-range":
        this.contentRange = true;
        return null;
      case "transfer-encoding":
        if (this.lastCoding === null) this.transferEncodingAt = offset;
        this.lastCoding ??= "";
        for (const coding of listOf(value)) {
          if (coding === "chunked" && this.lastCoding === "chunked") this.chunkedTwice = true;
          else if (coding !== "chunked" && isCoded(coding)) this.transferCoded = true;
          this.lastCoding = coding;
        }
        return null;
      default:
        return null;
    }
  }

  #upgradeTo(protocol: string): void {
    if (protocol === "h2c") this.upgradeH2c = true;
    else if (protocol === "websocket") this.upgradeWebSocket = true;
  }

  #option(option: string): void {
    if (option === "close") this.close = true;
    else if (option === "keep-alive") this.keepAlive = true;
    else if (option === "upgrade") this.connectionUpgrade = true;
  }

  /** RFC 9110 §8.6, RFC 9112 §6.3: digits; a list or several lines only if all are the same valid length. */
  #length(value: string): Rule | null {
    let rule: Rule | null = null;
    for (const digits of value.includes(",") ? value.split(",").map(trim) : [value]) {
      const length = /^[0-9]+$/.test(digits) ? Number(digits) : BAD_LENGTH;
      if (length === BAD_LENGTH || !Number.isSafeInteger(length)) {
        this.contentLength = BAD_LENGTH;
      } else if (this.contentLength === NO_LENGTH) {
        this.contentLength = length;
      } else if (this.contentLength === length) {
        rule = "content-length-repeated";
      } else {
        this.contentLength = BAD_LENGTH;
      }
    }
    return this.contentLength === BAD_LENGTH ? "content-length" : rule;
  }
}

/** Elements of a list field, RFC 9110 §5.6.1, in lower case; empty ones do not count. Quoted parameters matter to none of them. */
function listOf(value: string): string[] {
  const lower = value.toLowerCase();
  if (!lower.includes(",")) return lower === "" ? [] : [lower];
  return lower
    .split(",")
    .map(trim)
    .filter((element) => element !== "");
}

/** Without OWS around it, RFC 9110 §5.6.3. By index: a pattern would try the end anew at each octet of a run of spaces. */
function trim(element: string): string {
  let from = 0;
  let to = element.length;
  while (from < to && isWhitespace(element.charCodeAt(from))) from++;
  while (to > from && isWhitespace(element.charCodeAt(to - 1))) to--;
  return element.slice(from, to);
}
