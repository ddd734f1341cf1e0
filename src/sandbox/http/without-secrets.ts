const hidden = /password|secret|_base64$/i;

/** What the audit keeps of a body: secrets and files are told only by their length. */
export function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if (!Object.keys(body).some((name) => hidden.test(name))) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      hidden.test(name) && typeof value === 'string' ? `(${value.length} caracteres)` : value,
    ]),
  );
}
