import type { Certificate } from '../../sandbox/shops/loopback.ts';
import { openFront } from './front.ts';

/** A proxy that ends TLS in front of a plain server. */
export const openTlsFront = (target: string, tls: Certificate) => openFront(() => target, { tls });
