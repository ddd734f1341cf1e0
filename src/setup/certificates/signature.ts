import type { X509Certificate } from 'node:crypto';
import type forge from 'node-forge';
import { ecuadorDay, toServiceDate } from '../../domain/clock.ts';
import { isRuc } from '../../domain/identification.ts';
import { openP12, UnopenedP12 } from './p12.ts';

export interface Signature {
  titular: string;
  emisor: string;
  numero_serie: string;
  ruc: string | null;
  /** ISO instants, on Ecuador's clock. */
  valido_desde: string;
  valido_hasta: string;
}

export interface RefusedSignature {
  blame: 'password' | 'file';
  sentence: string;
}

export async function readSignature(
  p12: Buffer,
  password: string,
  now: Date,
): Promise<Signature | RefusedSignature> {
  try {
    const { keys, certificates } = await openP12(p12, password);
    const refuse = (sentence: string): RefusedSignature => ({ blame: 'file', sentence });
    if (keys.length === 0) return refuse('El archivo .p12 no contiene una clave privada.');
    if (certificates.length === 0) return refuse('El archivo .p12 no contiene un certificado.');
    // Some authorities put several pairs in one file: the one that is valid longest signs.
    const [certificate] = certificates
      .filter((one) => keys.some((key) => one.checkPrivateKey(key)))
      .sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
    if (!certificate) {
      return refuse('Ningún certificado del archivo .p12 corresponde a su clave privada.');
    }
    // By their text: for a date it cannot read, node:crypto answers a Date with random contents.
    if (Number.isNaN(Date.parse(certificate.validFrom) + Date.parse(certificate.validTo))) {
      return refuse('El certificado tiene fechas de validez que no se pueden leer.');
    }
    if (now < certificate.validFromDate) {
      return refuse(
        `El certificado aún no es válido: empieza el ${dayInEcuador(certificate.validFromDate)}.`,
      );
    }
    if (now > certificate.validToDate) {
      return refuse(`El certificado caducó el ${dayInEcuador(certificate.validToDate)}; suba uno vigente.`);
    }
    return factsOf(certificate);
  } catch (error) {
    if (error instanceof UnopenedP12) return { blame: error.blame, sentence: error.message };
    throw error;
  }
}

async function factsOf(certificate: X509Certificate): Promise<Signature> {
  return {
    titular: commonName(certificate.subject),
    emisor: commonName(certificate.issuer),
    numero_serie: certificate.serialNumber,
    ruc: await certificateRuc(certificate),
    valido_desde: isoInEcuador(certificate.validFromDate),
    valido_hasta: isoInEcuador(certificate.validToDate),
  };
}

const commonName = (name: string) => /^CN=(.*)$/m.exec(name)?.[1] ?? name.replaceAll('\n', ', ');

const dayInEcuador = (instant: Date) => toServiceDate(ecuadorDay(instant));
const isoInEcuador = (instant: Date) =>
  `${new Date(instant.getTime() - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`;

// Every accredited authority of Ecuador has its own arc, in which 3.11 is the RUC.
const rucOid = /^1\.3\.6\.1\.4\.1\.\d+\.3\.11$/;
const thirteenDigits = /(?<!\d)\d{13}(?!\d)/g;

async function certificateRuc(certificate: X509Certificate): Promise<string | null> {
  const { default: lib } = await import('node-forge');
  const extension = rucExtension(lib, lib.asn1.fromDer(certificate.raw.toString('latin1')));
  return firstRuc(extension) ?? firstRuc(certificate.subject);
}

const firstRuc = (text: string) => text.match(thirteenDigits)?.find(isRuc) ?? null;

function rucExtension(lib: typeof forge, node: forge.asn1.Asn1): string {
  if (!Array.isArray(node.value)) return '';
  const [name, ...values] = node.value;
  if (name?.type === lib.asn1.Type.OID && typeof name.value === 'string') {
    if (!rucOid.test(lib.asn1.derToOid(name.value))) return '';
    return values.map(({ value }) => (typeof value === 'string' ? value : '')).join('\n');
  }
  for (const child of node.value) {
    const found = rucExtension(lib, child);
    if (found) return found;
  }
  return '';
}
