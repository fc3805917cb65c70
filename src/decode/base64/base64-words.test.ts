import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Of } from "./base64-scan.ts";

const isFound = (text: string) => base64Of(Buffer.from(text), 0, text.length) !== null;

test("words, names and numbers are no base64", () => {
  const table: readonly (readonly [text: string, why: string])[] = [
    ["/usr/local/bin/wiretally", "a path is of the alphabet; what it decodes to is no text"],
    ["/usr/local/lib/python3", "and this one's trailing bits are not zero"],
    ["application/json", "a media type: 16 octets, four whole groups"],
    ["application/vnd/oci/image/manifest/v1", "a longer one"],
    ["550e8400-e29b-41d4-a716-446655440000", "a UUID has 36 octets: nine groups"],
    ["550E8400-E29B-41D4-A716-446655440000", "in upper case"],
    ["00000000-0000-0000-0000-000000000000", "the nil UUID"],
    ["d41d8cd98f00b204e9800998ecf8427e", "MD5 in hex"],
    ["da39a3ee5e6b4b0d3255bfef95601890afd80709", "SHA-1 in hex"],
    ["E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855", "SHA-256 in hex: 64 octets, no lower case"],
    ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "in lower case"],
    ["e3b0c44298fc1c149AFBF4C8996FB92427ae41e4649b934ca495991b7852b855", "in both: upper, lower and digit, but hex"],
    ["1234567890123456", "a card number"],
    ["6666666666666666", "decodes to four Hangul syllables, in one case"],
    ["20240131T120000Z", "a time stamp"],
    ["AAAAAAAAAAAAAAAA", "zeros: nothing known"],
    ["thequickbrownfox", "letters of one case"],
    ["ThisIsALongClassNameWithWords", "camel case decodes to octets that are no text"],
    ["ReadonlyTypeLike", "decodes to UTF-8 by chance, a rare character in it: it is of words"],
    ["ChromaticityPlot", "the same"],
    ["getUserByEmailAddressOrThrow", "a function"],
    ["eNoteBookApplicationName", "begins as zlib does (78 DA): weak without digits"],
    ["MILLISECONDS_PER_SECOND_", "begins as a long DER SEQUENCE does (30 82), of another length"],
    ["snake_case_identifier_name", "small letters and _"],
    ["SCREAMING_SNAKE_CASE_IDENTIFIER", "capitals and _"],
    ["a-slug-with-dashes-of-words-2024", "small letters, - and digits"],
    [
      "the-Quick-Brown-Fox-Jumps-over-13-lazy-Dogs-and-a-lot-more-words",
      "64 octets with all classes: most neighbours are small letters",
    ],
    ["Value_of_type_0_has_no_properties_in_common_with_type_1_Did_you_mean_to_call_it_2560", "the same with _"],
    [
      "com/microsoft/TypeScript/blob/35ff23d4b0cc715691323ebe54f523c16fe6e3a5/src/compiler/utilitiesPublic",
      "a URL's path with a digest",
    ],
    ["/Users/Somebody/Projects/2024/something/src/main/java/Program0001", "a path of 64 octets and more with all classes"],
    ["projects/my-project-12/locations/us-central1/keyRings/main/Keys12", "/ and - are of two alphabets"],
    ["sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "an integrity value: - with + and /, and no whole groups"],
  ];
  for (const [text, why] of table) assert.equal(isFound(text), false, `${text}: ${why}`);
});

test("base64 that looks a little like words is found all the same", () => {
  for (const text of ["SGVsbG8gV29ybGQh", "dXNlcm5hbWU6cGFzc3dvcmQ=", "VGhpcyBpcyBhbiBlbmNvZGVkIHN0cmluZw"]) {
    assert.equal(isFound(text), true, text);
  }
});
