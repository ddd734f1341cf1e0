import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type forge from 'node-forge';

export interface OpenP12 {
  keys: KeyObject[];
  certificates: X509Certificate[];
}

export class UnopenedP12 extends Error {
  override name = 'UnopenedP12';
  readonly blame: 'password' | 'file';
  constructor(blame: 'password' | 'file', sentence: string) {
    super(sentence);
    this.blame = blame;
  }
}

// Authorities and operating systems use 2,000 to 100,000 iterations; half a million take seconds.
const mostIterations = 500_000;

/** Ecuadorian authorities still use RC2-40 and 3DES, which OpenSSL 3 refuses. Throws UnopenedP12. */
export async function openP12(bytes: Buffer, password: string): Promise<OpenP12> {
  const { default: lib } = await import('node-forge');
  const pfx = readPfx(lib, bytes);
  if (derivationIterations(lib, pfx) > mostIterations) {
    throw new UnopenedP12('file', 'El archivo .p12 pide más rondas de cifrado de las que se admiten.');
  }
  const bags = unlock(lib, pfx, password).safeContents.flatMap(({ safeBags }) => safeBags);
  const { oids } = lib.pki;
  try {
    return {
      keys: bags
        .filter(({ type }) => type === oids.pkcs8ShroudedKeyBag || type === oids.keyBag)
        .map(({ key, asn1 }) =>
          key ? lib.pki.wrapRsaPrivateKey(lib.pki.privateKeyToAsn1(key as forge.pki.rsa.PrivateKey)) : asn1,
        )
        .map((asn1) => createPrivateKey({ key: toDer(lib, asn1), format: 'der', type: 'pkcs8' })),
      certificates: bags
        .filter(({ type }) => type === oids.certBag)
        .map(({ cert, asn1 }) => (cert ? lib.pki.certificateToAsn1(cert) : asn1))
        .map((asn1) => new X509Certificate(toDer(lib, asn1))),
    };
  } catch {
    throw new UnopenedP12('file', 'El archivo .p12 contiene una clave o un certificado que no se pudo leer.');
  }
}

type Forge = typeof forge;

function readPfx(lib: Forge, bytes: Buffer): forge.asn1.Asn1 {
  try {
    const pfx = lib.asn1.fromDer(bytes.toString('latin1'));
    if (Array.isArray(pfx.value) && pfx.value.length >= 2) return pfx;
  } catch {
    // An unreadable file is refused below.
  }
  throw new UnopenedP12('file', 'El archivo no es un .p12 (PKCS#12).');
}

function unlock(lib: Forge, pfx: forge.asn1.Asn1, password: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return lib.pkcs12.pkcs12FromAsn1(pfx, password);
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    if (/MAC could not be verified/.test(said)) throw wrongPassword();
    if (/nsupported|Cannot read|not supported/.test(said)) {
      throw new UnopenedP12('file', 'El archivo .p12 no es válido o usa un cifrado que no se reconoce.');
    }
    return unlockWithUtf8(lib, pfx, password);
  }
}

// PKCS#12 encodes passwords as UTF-16 for its MAC and its own ciphers, but as UTF-8 for PBES2; the library uses one
// encoding at a time. The MAC has been verified, so the contents are opened without it.
function unlockWithUtf8(lib: Forge, pfx: forge.asn1.Asn1, password: string): forge.pkcs12.Pkcs12Pfx {
  const contents = { ...pfx, value: (pfx.value as forge.asn1.Asn1[]).slice(0, 2) };
  try {
    return lib.pkcs12.pkcs12FromAsn1(contents, lib.util.encodeUtf8(password));
  } catch {
    throw wrongPassword();
  }
}

const wrongPassword = () => new UnopenedP12('password', 'La contraseña no abre el archivo .p12.');

const toDer = (lib: Forge, asn1: forge.asn1.Asn1) => Buffer.from(lib.asn1.toDer(asn1).getBytes(), 'latin1');

/** Each salt (OCTET STRING) is followed by a count (INTEGER), in the MAC and in each encryption. */
function derivationIterations(lib: typeof forge, node: forge.asn1.Asn1): number {
  const { OCTETSTRING, INTEGER } = lib.asn1.Type;
  if (!Array.isArray(node.value)) {
    return node.type === OCTETSTRING ? iterationsInside(lib, node.value) : 0;
  }
  let iterations = 0;
  let before: forge.asn1.Asn1 | undefined;
  for (const child of node.value) {
    if (before?.type === OCTETSTRING && child.type === INTEGER && typeof child.value === 'string') {
      iterations += Number.parseInt(lib.util.bytesToHex(child.value), 16);
    }
    iterations += derivationIterations(lib, child);
    before = child;
  }
  return iterations;
}

function iterationsInside(lib: typeof forge, der: string): number {
  // 0x30 begins a SEQUENCE; all else is a salt, a digest or ciphertext.
  if (der.charCodeAt(0) !== 0x30) return 0;
  try {
    return derivationIterations(lib, lib.asn1.fromDer(der));
  } catch {
    return 0;
  }
}
