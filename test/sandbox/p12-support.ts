import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

// Keys take a while to find and none of these tests is about their strength: two serve all.
const made: forge.pki.rsa.PrivateKey[] = [];
export function rsaKey(which = 0): forge.pki.rsa.PrivateKey {
  const known = made[which];
  if (known) return known;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  made[which] = key;
  return key;
}

export interface CertificateFacts {
  name?: string;
  from?: string;
  to?: string;
  /** In the extension the accredited authorities keep it in. */
  ruc?: string;
  subject?: forge.pki.CertificateField[];
}

/** A self-signed certificate; valid from 2026 to 2028 unless told otherwise. */
export function certificate(facts: CertificateFacts = {}, key = rsaKey()): forge.pki.Certificate {
  const { name = 'MARÍA JOSÉ PEÑAFIEL', from = '2026-01-01', to = '2028-01-01', ruc, subject = [] } = facts;
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  made.serialNumber = '0123';
  made.validity.notBefore = new Date(`${from}T00:00:00Z`);
  made.validity.notAfter = new Date(`${to}T00:00:00Z`);
  const common = { name: 'commonName', value: name, valueTagClass: 12 as unknown as forge.asn1.Class };
  made.setSubject([common, ...subject]);
  made.setIssuer([{ name: 'commonName', value: 'AUTORIDAD DE PRUEBA' }]);
  if (ruc) {
    const { asn1 } = forge;
    const value = asn1
      .toDer(asn1.create(asn1.Class.UNIVERSAL, asn1.Type.PRINTABLESTRING, false, ruc))
      .getBytes();
    made.setExtensions([{ id: '1.3.6.1.4.1.37746.3.11', value }]);
  }
  made.sign(key, forge.md.sha256.create());
  return made;
}

export interface P12Options {
  password?: string;
  algorithm?: 'aes128' | 'aes192' | 'aes256' | '3des';
  key?: forge.pki.rsa.PrivateKey | null;
  certificates?: forge.pki.Certificate[];
  count?: number;
}

/** The bytes of a .p12 with its password, key and certificates; `count` rounds of encryption, few because they take long. */
export function p12(options: P12Options = {}): Buffer {
  const { password = 'clave', algorithm = '3des', key = rsaKey(), count = 1 } = options;
  const { certificates = [certificate()] } = options;
  const made = forge.pkcs12.toPkcs12Asn1(
    key as forge.pki.rsa.PrivateKey,
    // No certificate at all is null; several are a list, which the types do not know.
    (certificates.length > 0 ? certificates : null) as unknown as forge.pki.Certificate,
    password,
    { algorithm, count },
  );
  return Buffer.from(forge.asn1.toDer(made).getBytes(), 'latin1');
}
