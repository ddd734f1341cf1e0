import { limitTexts } from '../../domain/text.ts';
import type { PingAnswer, Unknown } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { pricesBody, statusBody } from '../inferred-accounts.ts';
import { type ReadReply, readJson, readSaid, readShape, type Said } from '../replies.ts';
import type { PricesAnswer, StatusAnswer } from '../shapes/public.ts';
import { pingBody, spokenBody } from '../wire.ts';

/** What anybody may ask: no API key leaves and no slot of the budget is taken (spec, "Authentication" 1, 4). */
export interface PublicCalls {
  /** `POST /api/ping`: whether the service is there. Says nothing about the key. */
  ping(): Promise<PingAnswer>;
  /** `GET /api/public/status`, or its other name `/api/status` (assumption A27). */
  estadoServicio(route?: 'public' | 'status'): Promise<StatusAnswer>;
  /** `GET /api/public/precios` (assumption A27). */
  tablaPrecios(): Promise<PricesAnswer>;
}

export function publicCalls({ ask }: Exchange): PublicCalls {
  return {
    ping: () =>
      ask({ operation: 'ping', slot: null, call: { method: 'POST', path: '/api/ping' }, read: readPing }),
    estadoServicio(route = 'public') {
      const path = route === 'public' ? '/api/public/status' : '/api/status';
      return ask({
        operation: 'estadoServicio',
        slot: null,
        call: { method: 'GET', path },
        read: readStatus,
      });
    },
    tablaPrecios() {
      const call = { method: 'GET', path: '/api/public/precios' } as const;
      return ask({ operation: 'tablaPrecios', slot: null, call, read: readPrices });
    },
  };
}

function readPing({ status, text, date }: ReadReply): PingAnswer {
  const json = readJson(text);
  if (status === 200 && pingBody.safeParse(json).success) return { kind: 'alive', date };
  if (status === 401 && spokenBody.safeParse(json).success) return { kind: 'unauthorized', date };
  return { kind: 'unknown', reason: `answered ${status} without "pong"` };
}

function readStatus(reply: ReadReply): StatusAnswer {
  const said = readOpen(reply);
  if (said.kind !== 'said') return said;
  const read = readShape(said.body, statusBody, 'a state of the service');
  if ('kind' in read) return read;
  const { estado, sri, actualizado_en } = read.data;
  return {
    kind: 'status',
    estado,
    sri: { recepcion: sri?.recepcion ?? null, autorizacion: sri?.autorizacion ?? null },
    actualizadoEn: actualizado_en,
  };
}

function readPrices(reply: ReadReply): PricesAnswer {
  const said = readOpen(reply);
  if (said.kind !== 'said') return said;
  const { facturacion, verificaciones, consultas } = pricesBody.parse(said.body);
  if (facturacion.length === 0 && Object.keys(verificaciones).length === 0 && !consultas) {
    return { kind: 'unknown', reason: 'answered without prices' };
  }
  return {
    kind: 'prices',
    facturacion: facturacion.map((tier) => ({
      recarga: tier.recarga,
      precioDocumento: tier.precio_documento,
    })),
    verificaciones,
    consultas: { gratisPorMes: consultas?.gratis_por_mes ?? null, precio: consultas?.precio ?? null },
    body: limitTexts(said.body) as Record<string, unknown>,
  };
}

/** A public route has nothing to refuse and no key to find wrong: every failure teaches nothing. */
function readOpen(reply: ReadReply): Said | Unknown {
  const said = readSaid(reply);
  return said.kind === 'said' || said.kind === 'unknown'
    ? said
    : { kind: 'unknown', reason: `answered ${reply.status} without success` };
}
