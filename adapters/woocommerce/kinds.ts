import { decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { Charge, Deposit, Line } from '../../src/domain/order.ts';
import { mayBeAmount, namesTip } from '../../src/domain/text.ts';
import { chargeName, type WooFeeLine, type WooLineItem, type WooMeta, type WooOrder } from './payload.ts';
import { depositPlugins, giftCardPlugins, tipPlugins } from './plugins.ts';

export function lineKind({ meta_data }: WooLineItem): Pick<Line, 'kind' | 'spentAs'> {
  const card = giftCardPlugins.find(({ lineMetas }) =>
    lineMetas.some((group) => group.every((key) => hasValue(meta_data, key))),
  );
  return giftCard(card);
}

export function productKind(type: string): Pick<Line, 'kind' | 'spentAs'> {
  return giftCard(giftCardPlugins.find(({ productTypes }) => productTypes.includes(type)));
}

function giftCard(card: (typeof giftCardPlugins)[number] | undefined): Pick<Line, 'kind' | 'spentAs'> {
  if (!card) return { kind: 'product' };
  return { kind: 'gift-card', ...(card.spentAs !== 'payment' && { spentAs: card.spentAs }) };
}

export function feeKind({ name, total }: WooFeeLine): Pick<Charge, 'kind' | 'row'> {
  return namesTip(chargeName('fee', name), tipNames) && !decimal(total).lt(0)
    ? { kind: 'tip', row: 'fee' }
    : { kind: 'fee' };
}

const tipNames = tipPlugins.flatMap(({ feeNames }) => feeNames);

const ended = ['cancelled', 'refunded', 'trash'];

export function depositOf(order: WooOrder): Deposit | undefined {
  for (const { mark, status, total, restMeta, amountMeta } of depositPlugins) {
    const isOpen =
      order.status === status ||
      (restMeta !== undefined && ended.includes(order.status) && !isYes(order.meta_data, restMeta));
    if (!isOpen) continue;
    const of = toAmount(order.total);
    if (mark.of === 'order' && isYes(order.meta_data, mark.meta))
      return { paid: amountIn(order.meta_data, amountMeta), of, total };
    const lines = order.line_items.filter(({ meta_data }) => isYes(meta_data, mark.meta));
    if (mark.of === 'line' && lines.length > 0) {
      const rest = lines.map((line) => {
        const whole = amountIn(line.meta_data, amountMeta);
        return whole === null ? '0' : decimal(whole).minus(line.total).minus(line.total_tax);
      });
      return { paid: of, of: toAmount(sum([order.total, ...rest])), total };
    }
  }
  return undefined;
}

/** Such as «partially-paid», «pago-parcial», «con-anticipo»; not a part of a shipment. */
export function namesPart(status: string): boolean {
  const isPart = /(^|-)(partial|partially|parcial|parcialmente|deposit|anticipo|abono|abonado)(-|$)/;
  return isPart.test(status) && !ofGoods.test(status) && !byBank.test(status);
}

const ofGoods =
  /(^|-)(ship|deliver|dispatch|fulfil|pick|pack|prepar|produc|return|refund|envi|entreg|despach|devol|devuel|reembols|retir)/;
/** «deposit» may also name a whole payment into the account of the shop. */
const byBank = /(^|-)(bank|bancari[oa]|cash|efectivo|wire)(-|$)/;

const metaValue = (metas: readonly WooMeta[], key: string): unknown =>
  metas.find((meta) => meta.key === key)?.value;

function hasValue(metas: readonly WooMeta[], key: string): boolean {
  const value = metaValue(metas, key);
  return Array.isArray(value) ? value.length > 0 : value != null && value !== '' && value !== false;
}

const isYes = (metas: readonly WooMeta[], key: string): boolean => metaValue(metas, key) === 'yes';

function amountIn(metas: readonly WooMeta[], key: string): string | null {
  const value = metaValue(metas, key);
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && mayBeAmount(text) && /^\d+(\.\d+)?$/.test(text) ? toAmount(text) : null;
}
