import { z } from 'zod';
import { isClearable } from '../domain/alerts.ts';
import { readInstant } from '../domain/clock.ts';
import { owner, storeOf } from '../domain/settings.ts';
import { confirmations } from '../domain/shop-identity.ts';
import { defineOperation, field, fields } from './operation.ts';

export const alerts = defineOperation({
  name: 'alerts list',
  title: 'Avisos abiertos',
  description:
    'Muestra los avisos abiertos, cada uno con lo que hay que hacer; «alerts» a secas es lo mismo.',
  role: 'read',
  changes: false,
  input: z.object({}),
  async run({ ledger }) {
    const { alertsText } = await import('./run/pending.ts');
    const open = await ledger.alerts.open();
    const data = open.map((one) => ({ ...one, clearable: isClearable(one.code) }));
    return { done: true, message: alertsText(open), data };
  },
});

export const clearAlert = defineOperation({
  name: 'alerts clear',
  title: 'Aviso revisado',
  description:
    'Da por revisado un aviso que solo una persona puede terminar; los demás terminan con su causa.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  input: z.object({
    code: field(z.string().max(80), {
      title: 'Código',
      description: 'el código del aviso, por ejemplo document-differs',
      value: 'código',
      argument: true,
    }),
    subject: field(z.string().max(400), {
      title: 'Asunto',
      description: 'de qué es el aviso, como lo muestra facturapuente alerts',
      value: 'asunto',
      argument: true,
    }),
  }),
  async run({ jobDeps, ledger }, { code, subject }) {
    const { confirmDeleted, freeOfAlert } = await import('../jobs/retry.ts');
    if (!isClearable(code))
      return { done: false, message: `El aviso ${code} termina solo cuando termina su causa.`, subject };
    const found = (await ledger.alerts.open()).find((one) => one.code === code && one.subject === subject);
    if (!found) return { done: false, message: 'Ese aviso no está abierto.', subject };
    await jobDeps.alerts.over({ code, subject });
    const freed = code === 'job-held' ? await freeOfAlert(jobDeps, subject) : null;
    if (code === 'order-unread') await confirmDeleted(jobDeps, subject);
    const { about } = found;
    return { done: true, message: freed ?? 'El aviso queda revisado.', subject, about, facts: { code } };
  },
});

export const probeAccount = defineOperation({
  name: 'probe-account',
  title: 'Probar la cuenta',
  description: 'Prueba ahora una cuenta en pausa: si la causa ya no está, lo que espera sale solo.',
  role: 'operate',
  changes: true,
  form: { as: 'button' },
  input: z.object({
    account: field(z.string().max(63), {
      title: 'Cuenta',
      description: 'la cuenta de la configuración',
      value: 'cuenta',
      argument: true,
    }),
    ambiente: field(z.enum(['1', '2']).optional(), {
      title: 'Ambiente',
      description: 'el ambiente en pausa; se omite si lo están los dos',
      labels: { 1: 'Pruebas', 2: 'Producción' },
    }),
  }),
  async run({ jobDeps, ledger }, asked) {
    const { probeNow } = await import('../jobs/account-pause.ts');
    const { account: subject } = asked;
    const ambiente = asked.ambiente === undefined ? null : asked.ambiente === '1' ? 1 : 2;
    const pause = await ledger.pauses.get(subject, ambiente);
    if (!pause) return { done: false, message: 'Esa cuenta ya no está en pausa.', subject };
    await probeNow(jobDeps, pause);
    const message = 'Se prueba la cuenta ahora: si la causa ya no está, lo que espera sale solo.';
    return { done: true, message, subject, about: owner.account(subject), facts: { cause: pause.cause } };
  },
});

const instant = z
  .string()
  .max(40)
  .refine(
    (text) => readInstant(text) !== null,
    'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
  );

export const sync = defineOperation({
  name: 'sync',
  title: 'Buscar pedidos en las tiendas',
  description: 'Pregunta ahora a las tiendas por los pedidos y reembolsos que ningún webhook avisó.',
  role: 'operate',
  whole: true,
  changes: true,
  form: { as: 'listed' },
  input: z.object({
    store: fields.store('solo esta tienda; por defecto, todas'),
    since: field(instant.optional(), {
      title: 'Desde',
      description:
        'desde este día (2026-11-01) o instante con zona; por defecto, desde donde quedó la última búsqueda',
      value: 'instante',
    }),
  }),
  async run(context, asked) {
    const { reconcileStores } = await import('./run/sync-stores.ts');
    return reconcileStores(context, asked);
  },
});

const storeId = field(z.string().min(1).max(63), {
  title: 'Tienda',
  description: 'su nombre en la configuración',
  value: 'tienda',
  argument: true,
  store: true,
});

export const addStore = defineOperation({
  name: 'store add',
  title: 'Registrar una tienda',
  description: 'Registra o cambia una tienda, con su emisor y su cuenta; se guarda cifrada.',
  role: 'configure',
  whole: true,
  changes: true,
  hidden: true,
  input: z.object({
    id: storeId,
    raw: z.unknown(),
  }),
  async run({ storing }, { id, raw }) {
    const done = await storing.add(id, raw);
    const subject = { subject: id, about: owner.store(id) };
    if (done === 'same')
      return { done: true, outcome: 'nothing', message: `La tienda «${id}» ya estaba así.`, ...subject };
    const what = done === 'added' ? 'registrada' : 'cambiada';
    const message = `La tienda «${id}» quedó ${what}; los procesos en marcha la toman en unos segundos.`;
    return { done: true, message, ...subject };
  },
});

export const removeStore = defineOperation({
  name: 'store remove',
  title: 'Quitar una tienda',
  description: 'Quita una tienda registrada con «store add»; sus comprobantes quedan.',
  role: 'configure',
  whole: true,
  changes: true,
  form: { as: 'listed', wantsFreshCode: true },
  input: z.object({ store: storeId }),
  async run({ storing }, { store }) {
    await storing.remove(store);
    const message = `La tienda «${store}» ya no se factura; sus comprobantes siguen en el registro.`;
    return { done: true, message, subject: store, about: owner.store(store) };
  },
});

const meanings = {
  moved: 'es la misma y ahora está en esta dirección',
  same: 'es la misma con otra identidad',
  new: 'es otra que empieza aquí',
};

export const confirmStore = defineOperation({
  name: 'store confirm',
  title: 'Decidir qué es una tienda retenida',
  description: 'Decide qué es una tienda retenida porque la que responde no es la que se conocía.',
  role: 'configure',
  whole: true,
  changes: true,
  form: { as: 'listed', wantsFreshCode: true },
  input: z.object({
    store: storeId,
    as: field(z.enum(confirmations), {
      title: 'Qué es',
      description: Object.entries(meanings)
        .map(([as, means]) => `${as}: ${means}`)
        .join('; '),
      value: 'qué',
      labels: meanings,
    }),
  }),
  async run({ settings, storing }, { store, as }) {
    storeOf(settings, store);
    const { code } = await storing.confirm(store, as);
    const message = `La tienda «${store}» ${endings[as]}.`;
    return { done: true, message, subject: store, about: owner.store(store), facts: { as, code } };
  },
});

const endings = {
  moved: 'sigue en su nueva dirección con sus pedidos y comprobantes',
  same: 'sigue con sus pedidos y comprobantes',
  new: 'empieza de nuevo; los comprobantes de la anterior quedan en el registro',
};

export const listStores = defineOperation({
  name: 'store list',
  title: 'Tiendas',
  description: 'Lista las tiendas, y las que instalaron la app y esperan a ser registradas.',
  role: 'configure',
  whole: true,
  changes: false,
  input: z.object({}),
  async run({ storing }) {
    const data = await storing.list();
    const lines = data.stores.map(
      ({ id, platform, shop, ruc, ambiente, from, held }) =>
        `${id}  ${platform}  ${shop}  RUC ${ruc}  ambiente ${ambiente}  ${from === 'config' ? 'configuración' : 'store add'}${held === null ? '' : `  RETENIDA: ${held}`}`,
    );
    const open = data.waiting.map(
      ({ platform, shop }) => `(sin registrar)  ${platform}  ${shop}  instaló la app; falta «store add»`,
    );
    const message = [...lines, ...open].join('\n') || 'Todavía no hay ninguna tienda.';
    return { done: true, message, data };
  },
});

export const reencrypt = defineOperation({
  name: 'reencrypt',
  title: 'Proteger con la clave nueva',
  description:
    'Protege con el secret nuevo todo lo que el registro guarda cifrado con uno anterior (oldSecrets). Reinicie antes facturapuente start con el nuevo.',
  role: 'configure',
  whole: true,
  changes: true,
  form: { as: 'listed' },
  input: z.object({}),
  async run({ jobDeps }) {
    const count = await jobDeps.ledger.reencrypt();
    const message = `Se protegieron con la clave nueva ${count} datos; cuando todos los procesos la usen, puede quitar oldSecrets.`;
    return { done: true, message };
  },
});

export const resetSecondFactor = defineOperation({
  name: 'reset-second-factor',
  title: 'Restablecer la verificación en dos pasos',
  description:
    'Quita la verificación en dos pasos de una persona del panel que perdió su teléfono y cierra sus sesiones; al entrar activa una nueva. Compruebe antes que es ella quien lo pide.',
  role: 'configure',
  whole: true,
  changes: true,
  form: { as: 'listed', wantsFreshCode: true },
  input: z.object({
    person: field(z.string().min(1).max(80), {
      title: 'Usuario',
      description: 'su nombre en panel.users o en operator',
      value: 'usuario',
      argument: true,
    }),
  }),
  async run({ jobDeps: { ledger } }, { person }) {
    const had = await ledger.secondFactors.remove(person);
    if (had) await ledger.sessions.endOf(person);
    const message = had
      ? `La verificación en dos pasos de ${person} queda sin efecto y sus sesiones, cerradas. Pídale que entre ahora mismo al panel: con su contraseña activa una nueva, y hasta entonces lo puede hacer quien la conozca.`
      : `${person} no tiene verificación en dos pasos.`;
    return { done: had, message, subject: person };
  },
});
