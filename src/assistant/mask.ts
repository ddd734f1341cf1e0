/** Cédulas, RUCs, telephones and the like: ten digits or more that are no access key. */
const digits = /(?<!\d)\d{9,15}(?!\d)/g;
const mail = /(?<![^\s@«»"'<>])[^\s@«»"'<>]+@[^\s@«»"'<>]+\.[^\s@«»"'<>]+/g;

/**
 * The same JSON without what names a buyer: of long numbers the last three digits stay, of mail addresses nothing.
 * @param known numbers that stay: RUCs of issuers, ids of orders.
 */
export function masked<T>(value: T, known: ReadonlySet<string>): T {
  return visit(value, known) as T;
}

function visit(value: unknown, known: ReadonlySet<string>): unknown {
  if (typeof value === 'string')
    return value
      .replace(mail, '(correo)')
      .replace(digits, (found, at: number, text: string) =>
        known.has(found) || isNumber(text, at) ? found : `…${found.slice(-3)}`,
      );
  if (Array.isArray(value)) return value.map((one) => visit(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, known)]));
}

/** The secuencial of "001-001-000000123". */
const isNumber = (text: string, at: number): boolean =>
  /\d{3}-\d{3}-$/.test(text.slice(Math.max(0, at - 8), at));
