export { checkPlatform, type PlatformSamples } from './platform.ts';
export { checkShop, memoryCredentials, type ShopSamples } from './shop.ts';
