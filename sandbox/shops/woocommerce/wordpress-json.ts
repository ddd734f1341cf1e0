/**
 * JSON with WordPress's byte layout: compact, `/` escaped, everything beyond ASCII as lower-case `\uXXXX`
 * (measured on WooCommerce 11.0.1). Signatures are over these bytes, so a receiver that serialises anew fails.
 */
export function toWordPressJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
