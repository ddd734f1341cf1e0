/**
 * Whether a name of `informacion_adicional` is the entry the service adds by itself, in any spelling: a document
 * that brings it is rejected (resolution NAC-DGERCGC26-00000027, spec, key rules).
 */
export function isProviderRuc(name: string): boolean {
  const letters = name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return /^(ruc(del?)?proveedor(es)?|proveedor(es)?ruc)$/.test(letters);
}
