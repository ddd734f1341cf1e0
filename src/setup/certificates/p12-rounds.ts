import type forge from 'node-forge';

/**
 * How often the password of a PKCS#12 file is hashed to open it, as far as the file shows before it is opened:
 * every salt (OCTET STRING) followed by a count (INTEGER), in the MAC and in each encryption.
 */
export function derivationRounds(lib: typeof forge, node: forge.asn1.Asn1): number {
  const { OCTETSTRING, INTEGER } = lib.asn1.Type;
  if (!Array.isArray(node.value)) {
    // The contents lie as DER inside an OCTET STRING.
    return node.type === OCTETSTRING ? roundsInside(lib, node.value) : 0;
  }
  let rounds = 0;
  let before: forge.asn1.Asn1 | undefined;
  for (const child of node.value) {
    if (before?.type === OCTETSTRING && child.type === INTEGER && typeof child.value === 'string') {
      rounds += Number.parseInt(lib.util.bytesToHex(child.value), 16);
    }
    rounds += derivationRounds(lib, child);
    before = child;
  }
  return rounds;
}

function roundsInside(lib: typeof forge, der: string): number {
  // 0x30 begins a SEQUENCE; anything else is a salt, a digest or a cipher's text.
  if (der.charCodeAt(0) !== 0x30) return 0;
  try {
    return derivationRounds(lib, lib.asn1.fromDer(der));
  } catch {
    return 0;
  }
}
