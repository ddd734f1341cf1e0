/** Where our facts stand on the order; `$app:` keeps the namespace writable for this app alone. */
export const metafieldNamespace = '$app:facturapuente';

/** Shopify answers with the namespace resolved to `app--<app id>--facturapuente`. */
function isOurs(namespace: string): boolean {
  return namespace === metafieldNamespace || namespace.endsWith('--facturapuente');
}

/** The access keys (49 digits) in our metafields: the factura's own and those of its notas de crédito. */
export function readAccessKeys(
  metafields: readonly { namespace?: string | undefined; key: string; value: string }[],
): string[] {
  const texts = metafields
    .filter((field) => field.namespace === undefined || isOurs(field.namespace))
    .filter((field) => field.key === 'clave_acceso' || field.key === 'notas_credito')
    .flatMap((field) => field.value.match(/(?<!\d)\d{49}(?!\d)/g) ?? []);
  return [...new Set(texts)];
}
