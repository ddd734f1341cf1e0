import type { z } from 'zod';
import { limitTexts } from '../../domain/text.ts';
import type { Exchange } from '../exchange.ts';
import { cedulaData, lookUpBody, readMessage, rucData } from '../inferred-accounts.ts';
import { type ReadReply, readJson, readSaid } from '../replies.ts';
import { check, sentencesOf } from '../shapes/checked.ts';
import {
  type CedulaFacts,
  cedula,
  type LookUpAnswer,
  type LookUpOptions,
  type RucFacts,
  ruc,
} from '../shapes/look-up.ts';

/**
 * Real-time look-ups in the tax authority's and the civil registry, by four routes that answer alike (spec,
 * "Behavior of the queries routes"; shapes by assumption A24). 20 found ones a month are free, later ones are
 * charged to the queries wallet. Errors: spec, "Errors" 4 and 6; an impossible number is `refused`.
 */
export interface LookUpCalls {
  /** `GET /api/sri/ruc/{ruc}`, or as `options` say: a taxpayer. */
  consultarRuc(ruc: string, options?: LookUpOptions): Promise<LookUpAnswer<RucFacts>>;
  /** `GET /api/sri/cedula/{cedula}`, or as `options` say: a person. */
  consultarCedula(cedula: string, options?: LookUpOptions): Promise<LookUpAnswer<CedulaFacts>>;
}

export function lookUpCalls({ ask }: Exchange): LookUpCalls {
  const lookUp = async <Facts>(
    operation: string,
    name: 'ruc' | 'cedula',
    number: z.ZodType<string>,
    value: string,
    read: (data: Record<string, unknown>) => Facts,
    { prefix = 'sri', method = 'GET' }: LookUpOptions = {},
  ): Promise<LookUpAnswer<Facts>> => {
    const checked = check(number, value);
    if (!checked.ok) {
      const errors = sentencesOf({ [name]: checked.fields.cuerpo ?? [] });
      return { kind: 'refused', status: null, errors };
    }
    const path = `/api/${prefix}/${name}`;
    const call =
      method === 'GET'
        ? { method, path: `${path}/${checked.data}` }
        : { method, path, body: JSON.stringify({ [name]: checked.data }) };
    return ask({ operation, slot: 'question', call, read: (reply) => readLookUp(reply, read) });
  };
  return {
    consultarRuc: (value, options) => lookUp('consultarRuc', 'ruc', ruc, value, readTaxpayer, options),
    consultarCedula: (value, options) =>
      lookUp('consultarCedula', 'cedula', cedula, value, readPerson, options),
  };
}

function readLookUp<Facts>(
  reply: ReadReply,
  read: (data: Record<string, unknown>) => Facts,
): LookUpAnswer<Facts> {
  const mensaje = readMessage(readJson(reply.text));
  if (reply.status === 402) return { kind: 'no-funds', mensaje };
  const said = readSaid(reply);
  // "Only a query that returns data (`success` true) is counted": a 200 that says false found nothing. A 404
  // may as well be about the route, which is not shown either.
  if (said.kind === 'refused' && reply.status < 300) return { kind: 'not-found', mensaje };
  if (said.kind !== 'said') return said;
  const { data, cache, costo, gratis_restantes } = lookUpBody.parse(said.body);
  const found = limitTexts(data ?? said.body) as Record<string, unknown>;
  const facts = read(found);
  if (Object.values(facts as object).every((fact) => fact === null)) {
    return { kind: 'unknown', reason: 'answered without data' };
  }
  const counted = { cache, costo, gratisRestantes: gratis_restantes };
  return { kind: 'found', facts, data: found, ...counted, aviso: said.aviso };
}

function readTaxpayer(data: Record<string, unknown>): RucFacts {
  const read = rucData.parse(data);
  return {
    ruc: read.ruc,
    razonSocial: read.razon_social,
    nombreComercial: read.nombre_comercial,
    estado: read.estado,
    tipoContribuyente: read.tipo_contribuyente,
    obligadoContabilidad: read.obligado_contabilidad,
    actividad: read.actividad,
  };
}

function readPerson(data: Record<string, unknown>): CedulaFacts {
  return cedulaData.parse(data);
}
