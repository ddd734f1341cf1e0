import type { X509Certificate } from 'node:crypto';
import type forge from 'node-forge';
import { isRuc } from '../../domain/identification.ts';

// Every accredited authority of Ecuador has an arc of its own, and in it 3.11 holds the RUC.
const rucOid = /^1\.3\.6\.1\.4\.1\.\d+\.3\.11$/;
const thirteenDigits = /(?<!\d)\d{13}(?!\d)/g;

/** The RUC a certificate names: in the authority's own extension, else in its subject; null when in neither. */
export async function certificateRuc(certificate: X509Certificate): Promise<string | null> {
  const { default: lib } = await import('node-forge');
  const extension = rucExtension(lib, lib.asn1.fromDer(certificate.raw.toString('latin1')));
  return firstRuc(extension) ?? firstRuc(certificate.subject);
}

const firstRuc = (text: string) => text.match(thirteenDigits)?.find(isRuc) ?? null;

/** The bytes of the extension with the RUC, or ''. */
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
