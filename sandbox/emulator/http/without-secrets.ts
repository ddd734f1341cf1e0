const hidden = /password|secret|_base64$/i;

/** So many are kept that those of the longest would fill the memory. */
const longestKept = 100_000;

/** A body as the audit log stores it: of secrets, files and long values only the length. */
export function withoutSecrets(body: unknown): unknown {
  const kept = hideSecrets(body);
  const { length } = JSON.stringify(kept) ?? '';
  return length > longestKept ? `(${length} caracteres)` : kept;
}

function hideSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if (!Object.keys(body).some((name) => hidden.test(name))) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      hidden.test(name) && typeof value === 'string' ? `(${value.length} caracteres)` : value,
    ]),
  );
}
