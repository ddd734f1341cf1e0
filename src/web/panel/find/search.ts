import type { Document } from '../../../domain/document.ts';
import { mayDo } from '../../../domain/people.ts';
import type { FoundOrder } from '../../../ledger/finding.ts';
import type { Visit } from '../visit.ts';
import { readTerms } from './terms.ts';

export interface Found {
  documents: Document[];
  /** Orders without any document. */
  orders: FoundOrder[];
  /** It looked like a buyer's identification, which not everybody may search by. */
  buyersHidden: boolean;
}

/** As many of each kind. */
const most = 20;

/** Everything a text may mean, each looked up through its own index. */
export async function search({ deps, role }: Visit, text: string): Promise<Found> {
  const { ledger } = deps;
  const { order, accessKey, number, amount, buyer } = readTerms(text);
  const mayAskForBuyers = mayDo(role, 'operate');
  const orders = await ledger.finding.orders({ id: order, names: [order, `#${order}`] }, most);
  const ofOrders = await Promise.all(orders.map((one) => ledger.documents.ofOrder(one)));
  const found = [
    ...ofOrders.flat(),
    ...(accessKey === null ? [] : [await ledger.documents.byAccessKey(accessKey)]),
    ...(number === null ? [] : await ledger.finding.byNumber(number, most)),
    ...(buyer === null || !mayAskForBuyers ? [] : await ledger.finding.byBuyer(buyer, most)),
    ...(amount === null ? [] : await ledger.finding.byCharged(amount, most)),
  ].filter((one) => one !== undefined);
  return {
    documents: [...new Map(found.map((one) => [one.id, one])).values()],
    orders: orders.filter((_, at) => ofOrders[at]?.length === 0),
    buyersHidden: buyer !== null && !mayAskForBuyers,
  };
}
