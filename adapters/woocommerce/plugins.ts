import { decimal, sum, toAmount } from '../../src/domain/money.ts';
import type { Charge, Deposit, GiftCardSpent, Line } from '../../src/domain/order.ts';
import { namesTip } from '../../src/domain/text.ts';
import {
  amountOf,
  chargeName,
  type WooFeeLine,
  type WooLineItem,
  type WooMeta,
  type WooOrder,
} from './payload.ts';

/* Each row is read from the plugin's own code, named by `source` as repository/path. */

interface Plugin {
  plugin: string;
  source: string;
}

interface GiftCardPlugin extends Plugin {
  productTypes: readonly string[];
  lineMetas: readonly (readonly string[])[];
  spentAs: GiftCardSpent;
}

export const giftCardPlugins: readonly GiftCardPlugin[] = [
  {
    plugin: 'PW WooCommerce Gift Cards',
    source: 'leobufi/aquadomia/wp-content/plugins/pw-woocommerce-gift-cards/pw-gift-cards.php',
    productTypes: ['pw-gift-card'],
    lineMetas: [['pw_gift_card_amount'], ['pw_gift_card_number']],
    spentAs: 'payment',
  },
  {
    plugin: 'WooCommerce Gift Cards',
    source:
      'mesguerrae/holy/wp-content/plugins/woocommerce-gift-cards/includes/class-wc-gc-gift-card-product.php',
    productTypes: [],
    lineMetas: [['wc_gc_giftcard_amount']],
    spentAs: 'payment',
  },
  {
    plugin: 'YITH WooCommerce Gift Cards',
    source:
      'christiancannata/agrispesa/wp-content/plugins/yith-woocommerce-gift-cards/includes/class-yith-ywgc-cart-checkout.php',
    productTypes: ['gift-card'],
    lineMetas: [['_ywgc_product_id'], ['_ywgc_gift_card_code']],
    spentAs: 'payment',
  },
  {
    // Taken off after tax; before tax with the option woocommerce_smart_coupon_apply_before_tax.
    plugin: 'WooCommerce Smart Coupons',
    source: 'riclain/woocommerce-smart-coupons/woocommerce-smart-coupons.php',
    productTypes: [],
    lineMetas: [['sc_called_credit']],
    spentAs: 'unknown',
  },
  {
    // Its cards are coupons of the type fixed_cart, which WooCommerce takes off before tax.
    plugin: 'Ultimate Gift Cards for WooCommerce',
    source: 'wpswings/woo-gift-cards-lite/public/class-woocommerce-gift-cards-lite-public.php',
    productTypes: ['wgm_gift_card'],
    lineMetas: [['Original Price', 'Selected Template']],
    spentAs: 'discount',
  },
];

/** A tip is a fee, with tax or without, that only its name marks; the merchant may change the name. */
export const tipPlugins: readonly (Plugin & { feeNames: readonly string[] })[] = [
  {
    // «Tip (10 %)» with the option wc_order_tip_display_custom_tip_label_in_tip_name.
    plugin: 'Order Tip for WooCommerce',
    source: 'railmedia/order-tip-woo/frontend/services/order-tip-woo.service.php',
    feeNames: ['Tip'],
  },
  {
    plugin: 'Tip the Helper',
    source: 'sajjadh47/tip-the-helper/public/class-tip-the-helper-public.php',
    feeNames: ['Tip Amount'],
  },
  {
    plugin: 'WCPOS',
    source: 'wcpos/woocommerce-pos/includes/Payments/Contract/Ledger.php',
    feeNames: ['Tip'],
  },
];

interface DepositPlugin extends Plugin {
  /** "yes" while the plugin rules the payments of the order. */
  mark: { of: 'order' | 'line'; meta: string };
  status: string;
  total: Deposit['total'];
  /** "yes" once the rest is paid, also by hand; absent where the deposit is an order of its own. */
  restMeta?: string;
  /** The amount received; where the deposit is an order of its own, the price of the line with tax. */
  amountMeta: string;
}

export const depositPlugins: readonly DepositPlugin[] = [
  {
    plugin: 'Deposits & Partial Payments for WooCommerce (Acowebs)',
    source: '3t4n/wp-cve/plugins/deposits-partial-payments-for-woocommerce/includes/class-awcdp-deposits.php',
    mark: { of: 'order', meta: '_awcdp_deposits_order_has_deposit' },
    status: 'partially-paid',
    total: 'order',
    restMeta: '_awcdp_deposits_second_payment_paid',
    amountMeta: '_awcdp_deposits_deposit_amount',
  },
  {
    plugin: 'WooCommerce Deposits (Webtomizer)',
    source:
      'sudippodder/woocommerce/wp-content/plugins/woocommerce-deposits/includes/class-wc-deposits-orders.php',
    mark: { of: 'order', meta: '_wc_deposits_order_has_deposit' },
    status: 'partially-paid',
    total: 'order',
    restMeta: '_wc_deposits_second_payment_paid',
    amountMeta: '_wc_deposits_deposit_amount',
  },
  {
    // The line is sold at the price of the deposit; the rest is an order of its own.
    plugin: 'WooCommerce Deposits',
    source: 'Veraxus/wc-deposits-with-variations/includes/class-wc-deposits-cart-manager.php',
    mark: { of: 'line', meta: '_is_deposit' },
    status: 'partial-payment',
    total: 'own',
    amountMeta: '_deposit_full_amount',
  },
];

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

const metaValue = (metas: readonly WooMeta[], key: string): unknown =>
  metas.find((meta) => meta.key === key)?.value;

function hasValue(metas: readonly WooMeta[], key: string): boolean {
  const value = metaValue(metas, key);
  return Array.isArray(value) ? value.length > 0 : value != null && value !== '' && value !== false;
}

const isYes = (metas: readonly WooMeta[], key: string): boolean => metaValue(metas, key) === 'yes';

function amountIn(metas: readonly WooMeta[], key: string): string | null {
  const amount = amountOf(metaValue(metas, key));
  return amount && toAmount(amount);
}
