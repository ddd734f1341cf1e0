import { shopify } from '../../adapters/shopify/index.ts';
import { woocommerce } from '../../adapters/woocommerce/index.ts';
import type { Platform } from '../domain/platform.ts';

/** The platforms this package brings; others are named in the config. */
export const builtInPlatforms: readonly Platform[] = [shopify, woocommerce] as unknown as readonly Platform[];
