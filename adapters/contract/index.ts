export { memoryCredentials } from './memory-credentials.ts';
export { checkPlatform, type PlatformSamples } from './platform.ts';
export { checkShop, type ShopSamples } from './shop.ts';
