import type { Deposit, GiftCardSpent } from '../../src/domain/order.ts';

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
