import type { z } from 'zod';
import type { NoFunds, Refused, Unauthorized, Unknown } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { holdsCode, readMessage, verificationBody, verificationsBody } from '../inferred-accounts.ts';
import { type ReadReply, readJson, readSaid, readShape, type Said } from '../replies.ts';
import { check, sentencesOf } from '../shapes/checked.ts';
import {
  type BetaPrivada,
  type NewVerificationAnswer,
  type Verification,
  type VerificationAnswer,
  type VerificationRequest,
  type VerificationsAnswer,
  verificationRequest,
} from '../shapes/verification.ts';

/**
 * Identity verifications, a private beta (spec, "Identity verification"; all but the creation by assumption
 * A26). Prices in USD: spec, "Limits". Errors: spec, "Errors" 4, 6 and 11; without money `no-funds`.
 */
export interface VerificationCalls {
  /** `POST /api/id/verificaciones`. Never repeat it blindly after `unknown`: each is charged. */
  crearVerificacion(verification: VerificationRequest): Promise<NewVerificationAnswer>;
  /** `GET /api/id/verificaciones`: those of the account, newest first. */
  listarVerificaciones(): Promise<VerificationsAnswer>;
  /** `GET /api/id/verificaciones/{id}`. */
  consultarVerificacion(id: string): Promise<VerificationAnswer>;
}

export function verificationCalls({ ask, act }: Exchange): VerificationCalls {
  const path = '/api/id/verificaciones';
  return {
    async crearVerificacion(verification) {
      const checked = check(verificationRequest, verification);
      if (!checked.ok) return { kind: 'refused', status: null, errors: sentencesOf(checked.fields) };
      const call = { method: 'POST', path, body: JSON.stringify(checked.data) } as const;
      return act({ operation: 'crearVerificacion', slot: 'question', call, read: readCreated });
    },
    listarVerificaciones() {
      const call = { method: 'GET', path } as const;
      return ask({ operation: 'listarVerificaciones', slot: 'question', call, read: readList });
    },
    async consultarVerificacion(id) {
      // "." and ".." survive encoding and would ask another route.
      if (!/^[\w-]{1,100}$/.test(id)) return { kind: 'not-found' };
      const call = { method: 'GET', path: `${path}/${id}` } as const;
      return ask({ operation: 'consultarVerificacion', slot: 'question', call, read: readOne });
    },
  };
}

function readCreated(reply: ReadReply) {
  const mensaje = readMessage(readJson(reply.text));
  if (reply.status === 402) return { kind: 'no-funds', mensaje } satisfies NoFunds;
  const said = readBeta(reply);
  if (said.kind !== 'said') return said;
  if (said.body.success === undefined) return unknown('answered without "success"');
  const read = readVerification(said.body);
  return 'kind' in read ? read : ({ kind: 'created', verificacion: read.data, aviso: said.aviso } as const);
}

function readOne(reply: ReadReply): VerificationAnswer {
  if (reply.status === 404) return { kind: 'not-found' };
  const said = readBeta(reply);
  if (said.kind !== 'said') return said;
  const read = readVerification(said.body);
  return 'kind' in read ? read : { kind: 'found', verificacion: read.data, aviso: said.aviso };
}

function readList(reply: ReadReply): VerificationsAnswer {
  const said = readBeta(reply);
  if (said.kind !== 'said') return said;
  const read = readShape(said.body, verificationsBody, 'a list of verifications');
  if ('kind' in read) return read;
  return { kind: 'list', verificaciones: read.data.verificaciones.map(toVerification), aviso: said.aviso };
}

/** A 403 is about the beta only when it says so (spec, "Errors" 11). */
function readBeta(reply: ReadReply): Said | BetaPrivada | Refused | Unauthorized | Unknown {
  const json = readJson(reply.text);
  if (reply.status === 403 && holdsCode(json, 'beta_privada')) {
    return { kind: 'beta-privada', mensaje: readMessage(json) };
  }
  return readSaid(reply);
}

/** The record may also lie under `data`. */
function readVerification(body: Record<string, unknown>): { data: Verification } | Unknown {
  const read = readShape(body.id === undefined ? body.data : body, verificationBody, 'a verification');
  return 'kind' in read ? read : { data: toVerification(read.data) };
}

function toVerification(read: z.output<typeof verificationBody>): Verification {
  return {
    id: read.id,
    estado: read.estado,
    urlVerificacion: read.url_verificacion,
    costo: read.costo,
    expiraEn: read.expira_en,
    tipo: read.tipo,
    cedulaEsperada: read.cedula_esperada,
    creadoEn: read.creado_en,
    finalizadoEn: read.finalizado_en,
  };
}

const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason });
