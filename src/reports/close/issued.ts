import type { Day } from '../../domain/calendar.ts';
import { documentKinds } from '../../domain/document.ts';
import { toAmount } from '../../domain/money.ts';
import { authorizedTaxes } from '../tax-rows.ts';
import { type Held, ourTaxes, shopTotal } from './agree.ts';
import type { Issued } from './day-close.ts';
import { bears, type Sold } from './read-sales.ts';
import { openSeen, openSum } from './sums.ts';

/** The authorised documents that bear the date, as ledger, service and shop see them. */
export function issuedFigures(held: readonly Held[], sold: readonly Sold[], day: Day): Issued[] {
  const ofDay = new Set(sold.flatMap(({ document }) => (document ? [document.id] : [])));
  return documentKinds.map((kind): Issued => {
    const states: Issued['states'] = {};
    const [ours, service, shop, ofOtherDays] = [openSeen(), openSeen(), openSum(), openSum()];
    for (const one of held) {
      const { document, found } = one;
      if (document.kind !== kind || !bears(document, day)) continue;
      states[document.state] = (states[document.state] ?? 0) + 1;
      if (found?.kind === 'authorized')
        service.add(toAmount(found.facts.importeTotal), authorizedTaxes(found.facts.totalImpuestos));
      if (document.state !== 'authorized') continue;
      ours.add(document.total ?? '0', ourTaxes(one));
      const expected = shopTotal(one);
      if (expected !== null) shop.add(expected);
      if (!ofDay.has(document.id)) ofOtherDays.add(document.total ?? '0');
    }
    return {
      kind,
      states,
      ours: ours.seen(),
      service: service.seen(),
      shop: shop.tally(),
      ofOtherDays: ofOtherDays.tally(),
    };
  });
}
