import { documents } from './documents.ts';
import { byWhy, type Group, inNetwork } from './message.ts';

const meanwhile = 'Mientras tanto no se recibe ni se emite nada.';
const restore = `${meanwhile} Detenga facturapuente, restaure el último respaldo de la carpeta (docs/upgrade.md), inicie y repita el cierre de los días posteriores con «facturapuente close».`;
const support = 'Avise al soporte técnico, con el paquete de support-bundle.';

export interface Moved {
  directory: string;
  place: string;
  at: string;
}

export const keeping = {
  title: 'Registro y entregas',
  seen: 'En la terminal, en los endpoints de los comandos y en el registro de líneas (`err.code`), para quien opera.',
  entries: {
    'ledger-missing': [
      ({ place = 'el lugar configurado' }: { place?: string }) => `Todavía no hay registro en ${place}.`,
      'Inicie facturapuente start una vez; con PostgreSQL, revise también ledger.url (DATABASE_URL) y ledger.schema.',
    ],
    'ledger-open-to-others': [
      ({ directory = 'del registro', why }: { directory?: string; why?: string }) =>
        `No se usa la carpeta ${directory}: ${why ?? 'otros usuarios de la máquina pueden cambiar lo que contiene'}.`,
      'Revise lo que contiene, bórrele lo ajeno y entréguela al usuario que ejecuta facturapuente («chown»), o use otra carpeta.',
    ],
    'ledger-held': [
      ({ directory = '', holder = 'otro proceso' }: { directory?: string; holder?: string }) =>
        `El registro${directory && ` ${directory}`} ya está en uso por ${holder}.`,
      'Detenga ese proceso, use otra carpeta, o PostgreSQL para varios procesos.',
    ],
    'ledger-moved': byWhy(
      [
        'El registro de la carpeta se movió a PostgreSQL.',
        'Escriba esa base en ledger.url o DATABASE_URL y su esquema en ledger.schema, y quite ledger.directory. Si debe comenzar un registro nuevo, saque la carpeta de su lugar.',
      ],
      {
        here: ({ directory, place, at }: Moved) =>
          `El registro ${directory} se movió a PostgreSQL (${place}) el ${at}.`,
        elsewhere: ({ directory, place, at }: Moved) =>
          `La base PostgreSQL está vacía, y el registro ${directory} se movió a otra (${place}) el ${at}.`,
      },
    ),
    'ledger-left-behind': [
      ({ directory = 'su carpeta' }: { directory?: string }) =>
        `La base PostgreSQL está vacía y el registro con sus comprobantes sigue en ${directory}.`,
      'Llévelo con «facturapuente move --to DIRECCIÓN», sin DATABASE_URL ni ledger.url. Si esos comprobantes son de otra instalación, saque de ahí la carpeta.',
    ],
    'ledger-unreachable': [
      ({ reason = '' }: { reason?: string }) =>
        `No se puede usar la base PostgreSQL${reason && ` (${inNetwork(reason)})`}.`,
      ({ rightAre = 'su dirección, usuario y base sean correctos' }: { rightAre?: string }) =>
        `Revise que el servidor esté en marcha y que ${rightAre}.`,
    ],
    'ledger-unwritable': byWhy(
      [
        'En el registro no se puede escribir: disco lleno, un servidor que solo deja leer, o un archivo dañado o borrado.',
        'Mientras tanto no se recibe ni se emite nada. Libere espacio en el disco o revise el servidor de PostgreSQL. Si el archivo se dañó o se borró, detenga facturapuente, restaure el último respaldo de la carpeta (docs/upgrade.md), inicie y repita el cierre de los días posteriores con «facturapuente close».',
      ],
      {
        refused: [
          'El registro se puede leer y no escribir: el disco está lleno, o el servidor de PostgreSQL solo deja leer.',
          `${meanwhile} Libere espacio en el disco o revise el servidor de PostgreSQL; después todo sigue solo.`,
        ],
        damaged: [
          ({ path, cause }: { path: string; cause: string }) =>
            `El archivo del registro ${path} está dañado (${cause}).`,
          restore,
        ],
        replaced: [
          ({ path }: { path: string }) =>
            `El archivo del registro ${path} se borró o se reemplazó mientras estaba en uso.`,
          restore,
        ],
        other: [
          ({ reason }: { reason: string }) => `No se puede escribir en el registro. ${reason}`,
          `${meanwhile} Después todo sigue solo.`,
        ],
      },
    ),
    'ledger-newer': [
      'Una versión más nueva del programa ya abrió este registro.',
      'Instale esa versión o una posterior (docs/upgrade.md).',
    ],
    internal: byWhy(
      [
        'Error interno: algo que no puede ser. No se escribió nada.',
        `Reinstale una versión publicada y repita. ${support}`,
      ],
      {
        migration: ({ migration }: { migration: string }) =>
          `El programa instalado no corresponde a este registro: la migración ${migration} se lee hoy distinta.`,
        transaction: 'Error interno: una operación del registro quedó dentro de otra.',
        move: ({ document }: { document: string }) =>
          `Error interno: cambio de estado no permitido en el documento ${document}.`,
        copy: ({ table }: { table: string }) =>
          `Lo copiado en «${table}» no es igual al original; no se movió nada.`,
      },
    ),
    'move-unfinished': [
      ({ directory = '', place = '', at = '' }: Partial<Moved>) =>
        `El registro ${directory && `${directory} `}comenzó a moverse a PostgreSQL${place && ` (${place})`}${at && ` el ${at}`} y no se sabe si llegó; nadie lo usa hasta saberlo.`,
      ({ mark = 'la marca de la mudanza' }: { mark?: string }) =>
        `Repita «facturapuente move» con esa misma dirección. Si esa base ya no existe, borre ${mark} y mueva el registro a otra.`,
    ],
    'move-target-used': [
      ({ table = '' }: { table?: string }) =>
        `La base PostgreSQL de destino ya tiene datos${table && ` en «${table}»`} que no son los de este registro; no se movió nada.`,
      'Si facturapuente start ya trabajó con ella, no la vacíe: tiene sus números. Si no, use otra base u otro esquema (--schema).',
    ],
    'series-stopped': [
      ({ series = '', reason }: { series?: string; reason?: string }) =>
        `La serie${series && ` ${series}`} está detenida y no entrega más números: ${reason ?? 'otro sistema usó uno suyo.'}`,
      'Elija un punto de emisión propio, o suba series.first más allá de lo usado y reinicie.',
    ],
    'series-exhausted': [
      ({ series = '' }: { series?: string }) =>
        `La serie${series && ` ${series}`} dio su último número, 999999999.`,
      'Abra otro punto de emisión en el SRI, escríbalo en la configuración y reinicie.',
    ],
    'not-found': byWhy(['Lo que se nombró no existe aquí.', 'Revise el número y la tienda.'], {
      order: ({ name }: { name: string }) =>
        `El registro no conoce ningún pedido ${name}: si ya está pagado, pídalo con «facturapuente sync».`,
      unread: 'La tienda no tiene ese pedido, o no da acceso a su API.',
      asked: ({ name }: { name: string }) =>
        `El pedido ${name} no espera la identificación de su comprador; «facturapuente documents --state held» muestra los que esperan.`,
      document: ({ name }: { name: string }) =>
        `El registro no tiene ningún documento ${name}; «documents» los muestra.`,
      request: ({ id }: { id: string }) => `No hay ninguna solicitud ${id}; «privacy list» las muestra.`,
    }),
    'export-out': [
      ({ file = 'El archivo', why = '', code = '' }: { file?: string; why?: string; code?: string }) =>
        `${file} no se puede escribir${why && `: ${why}`}${code && ` (${code})`}.`,
      'Cree la carpeta, elija otra, o borre lo que está en ese lugar; la de export está en la máquina de start.',
    ],
    'webhook-undelivered': [
      ({ id = 'de notify', host = '', why = '' }: { id?: string; host?: string; why?: string }) =>
        why === 'EPRIVATE'
          ? `El webhook ${id} (${host}) lleva a una red privada que outbound.allow no nombra, y no se llama.`
          : `El webhook ${id}${host && ` (${host})`} no recibió el aviso${why && ` (${inNetwork(why)})`}; se intentará de nuevo.`,
      'Revise su dirección, y que responda 2xx; si está en una red privada junto a facturapuente, escríbala en outbound.allow.',
    ],
    'mail-failed': [
      ({ host = '', why = '' }: { host?: string; why?: string }) =>
        `El servidor de correo${host && ` ${host}`} no aceptó el mensaje${why && ` (${inNetwork(why)})`}.`,
      'Revise mail.url (smtps://, o un servidor con STARTTLS) y mail.from.',
    ],
    'buyer-mail-refused': documents.entries['buyer-mail-refused'],
    'busy-elsewhere': byWhy(
      [
        'Otro proceso está cambiando lo mismo.',
        'Lo que se hace solo se intenta de nuevo; lo que pidió usted, repítalo en un momento.',
      ],
      {
        service: [
          'El servicio de facturación está ocupado: no hay turno para una descarga.',
          'Vuelva a intentarlo en unos minutos.',
        ],
        store: ({ store }: { store: string }) => `Alguien más cambió la tienda «${store}» a la vez.`,
        identity: ({ address }: { address: string }) =>
          `Lo que se sabe de la tienda de ${address} cambió mientras se guardaba.`,
        list: ({ store }: { store: string }) => `Otro proceso está buscando cambios en la tienda ${store}.`,
        ledger: 'Otro proceso ocupa el registro.',
        order: 'Otro proceso está cambiando el mismo pedido.',
        access: 'Otro proceso está cambiando el acceso a la tienda.',
        install: ['Otro «facturapuente install» corre al mismo tiempo.', 'Repita cuando haya terminado.'],
      },
    ),
  },
} satisfies Group;
