import type { GiftCardSpent } from '../../src/domain/order.ts';

/*
 * How plugins mark what WooCommerce itself does not know: gift cards sold, tips. Each row is read from the
 * plugin's own code, named by `source` as repository/path. What is sold with another plugin the merchant tells by a rule
 * (policy.tax.rules, `then.kind`). Plugins whose cards, credit and wallets pay are in payments.ts.
 */

interface Plugin {
  plugin: string;
  source: string;
}

interface GiftCardPlugin extends Plugin {
  /** The product types of its cards, as wc/v3 states them; without one a card is a simple product. */
  productTypes: readonly string[];
  /** Metas of an order line: one that has all metas of a group, none of them empty, sells a card. */
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
    // Taken off after tax; before it with the option woocommerce_smart_coupon_apply_before_tax.
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

/** A tip is a fee, with tax or without, that only its name marks; the merchant may change it. */
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
