import type { PlannedDocument, Relative } from './action.ts';

/* Which orders were split from which, as far as the shop, a plugin and a person say. */

type Member = Pick<Relative, 'id' | 'parentId' | 'paidApart' | 'apartFrom'>;

/** The orders above and below one, nearest first, as far as each was split from the next. */
export function lineageOf(
  order: Member,
  relatives: readonly Relative[],
  isSplit: (child: Member, parent: Member) => boolean = () => true,
): { above: Relative[]; below: Relative[] } {
  const above: Relative[] = [];
  for (let child = order; ; ) {
    const parent = relatives.find(({ id }) => id === child.parentId);
    if (!parent || above.includes(parent) || !isSplit(child, parent)) break;
    above.push(parent);
    child = parent;
  }
  const below: Relative[] = [];
  for (let level: readonly Member[] = [order]; level.length > 0; ) {
    const isNext = (child: Relative): boolean =>
      ![...above, ...below].includes(child) &&
      level.some((parent) => parent.id === child.parentId && isSplit(child, parent));
    level = relatives.filter(isNext);
    below.push(...(level as readonly Relative[]));
  }
  return { above, below };
}

/** Not a payment of its own: a plugin's mark on the parent as well was copied with everything else. */
export const isSplitFrom = (child: Member, parent: Member): boolean =>
  (!child.paidApart || parent.paidApart === true) && !isApart(child, parent);

export const isApart = (one: Member, other: Member): boolean =>
  (one.apartFrom?.includes(other.id) || other.apartFrom?.includes(one.id)) === true;

/** The orders of which a person said that this one was paid apart; undefined where nobody was asked. */
export function apartFromIn(documents: readonly PlannedDocument[]): readonly string[] | undefined {
  const said = documents.flatMap(({ fingerprint }) =>
    fingerprint?.apartFrom ? [fingerprint.apartFrom] : [],
  );
  return said.length > 0 ? [...new Set(said.flat())] : undefined;
}
