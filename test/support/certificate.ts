import { generateKeyPairSync } from 'node:crypto';
import tls from 'node:tls';
import forge from 'node-forge';
import { onTestFinished } from 'vitest';

/** A certificate for 127.0.0.1 that this process trusts until the test ends. */
export function trustedCertificate(): { key: string; cert: string } {
  const made = selfSignedCertificate();
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, made.cert]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
  return made;
}

/** One nobody vouches for. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const name = [{ name: 'commonName', value: '127.0.0.1' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
