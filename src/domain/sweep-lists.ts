/** What a shop is searched by, in this order (src/jobs/sweep). */
export const sweepLists = ['changes', 'refunds', 'review'] as const;
export type SweepList = (typeof sweepLists)[number];

/**
 * The lists that did not come to their end when they were last due, and since when: they failed, or are long and go
 * on. What is not named is known.
 */
export type Behind = Partial<Record<SweepList, { since: string; failed: boolean }>>;

/** As a sentence names them. */
export const listNames: Readonly<Record<SweepList, string>> = {
  changes: 'la lista de pedidos nuevos y cambiados',
  refunds: 'la lista de reembolsos',
  review: 'el repaso nocturno de los pedidos conocidos',
};

/** What nobody does while a list cannot be read. */
export const listLosses: Readonly<Record<SweepList, string>> = {
  changes: 'los pedidos cuyo aviso se perdió no se facturan',
  refunds: 'un reembolso que no cambió su pedido y cuyo aviso se perdió se queda sin nota de crédito',
  review: 'no se nota qué pedidos y reembolsos se borraron en la tienda',
};

export function failedLists(behind: Behind): SweepList[] {
  return sweepLists.filter((list) => behind[list]?.failed === true);
}

/** "a y b", "a, b y c". */
export function inSentence(lists: readonly SweepList[], words: Readonly<Record<SweepList, string>>): string {
  return new Intl.ListFormat('es', { type: 'conjunction' }).format(lists.map((list) => words[list]));
}
