export type { DeliveryAnswer } from './delivery.ts';
export { openShopifyShop, type ShopifyShop, type ShopifyShopOptions } from './shopify-shop.ts';
export { openWooCommerceShop, type WooCommerceShop } from './woocommerce-shop.ts';
