import { randomUUID } from 'node:crypto';
import { verificationPrices } from '../accounts/prices.ts';
import type { Verification } from '../accounts/verifications.ts';
import { payGeneral } from '../accounts/wallets.ts';
import { failure } from '../http/answers.ts';
import type { Call, Operation, Reply } from '../operation.ts';
import type { World } from '../world.ts';
import { failed, plainFailures } from './shapes.ts';
import { awaitExpiry, expireWhenDue, findVerification, showVerification } from './verification-course.ts';
import {
  betaPrivada,
  created,
  list,
  noMoney,
  one,
  readRequest,
  refusedRequest,
  request,
  type VerificationRequest,
  verificationParams,
} from './verification-shapes.ts';

const shared = { tag: 'Identidad', access: 'key', words: 'plain' } as const;
const path = '/api/id/verificaciones';
const beta = { 403: betaPrivada, ...plainFailures };

/** Identity verifications, a private beta (spec, "Identity verification"; assumption A26). */
export const verificationOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'crear_verificacion',
    method: 'post',
    path,
    inferred: false,
    summary: 'Creates an identity verification and charges its price, plus VAT, to the general wallet',
    json: request,
    answers: {
      200: created,
      400: refusedRequest,
      402: noMoney,
      ...beta,
    },
    handle: (call) => refusedWithoutBeta(call) ?? create(call),
  },
  {
    ...shared,
    id: 'listar_verificaciones',
    method: 'get',
    path,
    inferred: true,
    summary: "The key's identity verifications, newest first",
    answers: { 200: list, ...beta },
    handle: (call) => refusedWithoutBeta(call) ?? showAll(call),
  },
  {
    ...shared,
    id: 'consultar_verificacion',
    method: 'get',
    path: `${path}/:id`,
    inferred: true,
    summary: 'One identity verification of the key',
    params: verificationParams,
    answers: { 200: one, 404: { says: 'The key has no verification of this id', json: failed }, ...beta },
    handle: (call) => refusedWithoutBeta(call) ?? show(call),
  },
];

function refusedWithoutBeta({ account }: Call): Reply | undefined {
  if (account.beta) return undefined;
  const message =
    'La verificación de identidad está en beta privada y esta cuenta no tiene acceso; solicítelo en el panel.';
  return { status: 403, body: { success: false, code: 'beta_privada', message } };
}

function create({ world, account, json }: Call): Reply {
  const read = readRequest(json(), world.settings.allowLoopbackWebhooks);
  if ('errors' in read) {
    const message = 'La verificación no es válida.';
    return { status: 400, body: { success: false, message, errors: read.errors }, inferred: true };
  }
  const verification = toVerification(world, read.fields);
  if (!payGeneral(account.wallets, verification.costo)) {
    const price = `${verification.costo.toFixed(2)} USD más IVA`;
    const sentence = `La cartera general no alcanza para esta verificación (${price}); recárguela.`;
    return failure('plain', 402, sentence, { inferred: true });
  }
  account.verifications.push(verification);
  world.touch(account);
  awaitExpiry(world, account, verification);
  const { id, url_verificacion, estado, costo, expira_en } = showVerification(world, verification);
  return { status: 200, body: { success: true, id, url_verificacion, estado, costo, expira_en } };
}

function toVerification({ clock }: World, fields: VerificationRequest): Verification {
  const now = clock.now().getTime();
  return {
    id: randomUUID(),
    tipo: fields.tipo,
    cedula_esperada: fields.cedula_esperada ?? null,
    webhook_url: fields.webhook_url ?? null,
    estado: 'pendiente',
    costo: verificationPrices[fields.tipo],
    creado_en: new Date(now).toISOString(),
    expira_en: new Date(now + (fields.tiempo_expiracion_minutos ?? 60) * 60_000).toISOString(),
    finalizado_en: null,
  };
}

function showAll({ world, account }: Call): Reply {
  for (const verification of account.verifications) expireWhenDue(world, account, verification);
  const verificaciones = account.verifications.map((each) => showVerification(world, each)).reverse();
  return { status: 200, body: { success: true, verificaciones } };
}

function show({ world, account, params }: Call): Reply {
  const found = findVerification(world, params.id ?? '', account.apiKey);
  if (!found) return failure('plain', 404, 'No hay una verificación con ese id.', { inferred: true });
  return { status: 200, body: { success: true, ...showVerification(world, found.verification) } };
}
