export type { DeliveryAnswer } from './delivery.ts';
export { memoryCredentials } from './memory-credentials.ts';
export { checkPlatform, type PlatformSamples } from './platform-contract.ts';
export { checkShop, type ShopSamples } from './shop-contract.ts';
export { openShopifyShop, type ShopifyShop, type ShopifyShopOptions } from './shopify-shop.ts';
export { openWooCommerceShop, type WooCommerceShop } from './woocommerce-shop.ts';
