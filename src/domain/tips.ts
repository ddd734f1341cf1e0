/*
 * What tips are called. Platforms and plugins mark them by their name alone, in the shop's language, and a merchant may change it.
 */

/**
 * Any name with the word "propina"; the other names only where nothing but an amount, a share or a note in brackets follows: "Tip
 * of the day" is none.
 */
export function namesTip(name: string, others: readonly string[] = ['Tip']): boolean {
  if (/(?<!\p{L})propinas?(?!\p{L})/iu.test(name)) return true;
  const alone = name
    .toLowerCase()
    .replace(/\([^()]*\)|[\d.,:$%\s–-]+/g, ' ')
    .trim();
  return others.some((other) => other.toLowerCase() === alone);
}

/** Whether a charge may be one, which only the merchant knows: a "Servicio 10 %" is as often the restaurant's. */
export const mayNameTip = (name: string): boolean =>
  namesTip(name) || /(?<!\p{L})(tips?|gratuity|gratificaci[oó]n|servicio|service)(?!\p{L})/iu.test(name);
