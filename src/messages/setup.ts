import { byWhy, final, type Group } from './message.ts';
import { shopTwice } from './shops.ts';

export const setup = {
  title: 'Configuración, instalación y comandos',
  seen: 'En la terminal y en los endpoints de los comandos (`error`), para quien instala u opera.',
  entries: {
    'config-missing': [
      ({ folder = 'la carpeta' }: { folder?: string }) => `No hay configuración en ${folder}.`,
      'Créela con «facturapuente init», o indíquela con --config.',
    ],
    'config-invalid': byWhy(
      [
        'La configuración no se puede leer, o tiene datos equivocados; se listan todos.',
        'Corrija cada dato (docs/config.md).',
      ],
      {
        unreadable: [
          ({ file, place }: { file: string; place: string }) =>
            `El archivo ${file} no se puede leer, o tiene un error de escritura${place}.`,
          ({ place }: { place: string }) =>
            place === ''
              ? 'Revise que exista, que termine en .yaml, .yml, .json o .ts, y sus comillas y paréntesis.'
              : 'Corrija esa línea.',
        ],
        list: ({ where, list }: { where: string; list: string }) =>
          `La configuración (${where}) no se puede usar:\n${list}\n`,
      },
    ),
    'production-unconfirmed': [
      ({ store = '', ruc = '' }: { store?: string; ruc?: string }) =>
        `La tienda${store && ` «${store}»`} emitiría en producción (ambiente 2) y nadie lo ha confirmado: cada factura${ruc && ` de ${ruc}`} tendrá valor tributario y gastará un crédito.`,
      ({ ruc = 'RUC' }: { ruc?: string }) =>
        `Si es lo que quiere, ejecute «facturapuente install --production» (o escriba production: ['${ruc}']); si no, use ambiente: 1.`,
    ],
    'package-missing': [
      ({ needs = 'Lo que pide' }: { needs?: string }) =>
        `${needs} necesita un paquete que no está instalado.`,
      ({ install = 'el npm install que se indica' }: { install?: string }) => `Ejecute ${install}.`,
    ],
    'secret-missing': [
      'Con PostgreSQL hace falta secret, que comparten los procesos.',
      ({ kept }: { kept?: string | undefined }) =>
        kept
          ? `Ponga en FACTURAPUENTE_SECRET el contenido de ${kept}, el del registro que se movió.`
          : 'Genere uno con «openssl rand -base64 32» y póngalo en FACTURAPUENTE_SECRET.',
    ],
    'secret-changed': [
      ({ place = 'el registro' }: { place?: string }) =>
        `El secreto de la configuración (secret) no es el que protegió ${place}.`,
      'Use como secret el contenido de secret.key o el de antes, o consérvelo en oldSecrets.',
    ],
    'data-damaged': [
      ({ what = 'Un dato protegido del registro' }: { what?: string }) =>
        `${what} está dañado o fue alterado.`,
      'Restaure un respaldo (docs/upgrade.md).',
    ],
    'port-unusable': [
      ({ port, host, reason }: { port?: number; host?: string; reason?: string }) =>
        port ? `El puerto ${port} de ${host} ${reason}.` : 'El puerto está ocupado o no se puede usar.',
      ({ setting = '--port o port' }: { setting?: string }) =>
        `Elija otro con ${setting}, o detenga el programa que lo ocupa.`,
    ],
    'store-unknown': byWhy(
      [
        'No hay una tienda con ese nombre.',
        'Revise el nombre («facturapuente store list»); si la acaba de escribir en la configuración, reinicie «facturapuente start».',
      ],
      {
        name: ({ store, known }: { store: string; known: string }) =>
          `No hay ${store ? `ninguna tienda «${store}»` : 'una tienda con ese nombre'}${known && `; hay: ${known}`}.`,
        'not-added': [
          ({ store }: { store: string }) => `No hay ninguna tienda «${store}» registrada con «store add».`,
          'Revise el nombre («facturapuente store list»); las del archivo de configuración se quitan ahí.',
        ],
        gone: [
          ({ store }: { store: string }) =>
            `La tienda de ese pedido (${store}) ya no está en la configuración.`,
          'Devuélvala a la configuración, o regístrela con «facturapuente store add».',
        ],
      },
    ),
    'shop-twice': shopTwice,
    ambiguous: [
      ({ what = 'Lo que se pidió', found = '' }: { what?: string; found?: string }) =>
        `${what} puede ser de varias tiendas${found && `: ${found}`}.`,
      'Indique cuál con --store; un documento, también con --kind.',
    ],
    'store-busy': [
      ({ store = '', documents = 0 }: { store?: string; documents?: number }) =>
        `La tienda${store && ` «${store}»`} tiene ${documents === 1 ? 'un comprobante' : documents === 0 ? 'comprobantes' : `${documents} comprobantes`} en camino.`,
      'Espere a que terminen («facturapuente documents») y repita.',
    ],
    'nothing-to-do': byWhy(['Lo que se pidió ya está hecho, o no hace falta.', final], {
      'not-held': ({ store }: { store: string }) => `La tienda «${store}» no está retenida.`,
      fulfilled: ({ id }: { id: string }) => `La solicitud ${id} ya se cumplió y no nombra a nadie.`,
      stopped: 'Se detuvo antes de terminar; no se escribió nada.',
      moved: 'La configuración ya usa PostgreSQL: solo se mueve un registro que está en una carpeta.',
    }),
    'not-offered': byWhy(
      [
        'La plataforma de la tienda no ofrece lo que se pidió.',
        'Siga la guía de su plataforma; los pedidos se revisan con «facturapuente rehearse».',
      ],
      {
        'no-api': [
          ({ store }: { store: string }) =>
            `La tienda «${store}» está configurada sin acceso a su API, y no se puede preguntar por sus pedidos.`,
          'Complete su conexión y quite de ella apiAccess: false.',
        ],
        install: ({ platform }: { platform: string }) =>
          `Una tienda de ${platform} no tiene nada que instalar o quitar desde aquí.`,
        catalog: ({ platform }: { platform: string }) =>
          `Las tiendas de ${platform} no dan a conocer sus productos.`,
        whole: [
          ({ operation }: { operation: string }) =>
            `«${operation}» es de toda la instalación, y este usuario está limitado a algunas tiendas.`,
          'Pídalo a quien administra facturapuente.',
        ],
      },
    ),
    'init-exists': [
      ({ file = '' }: { file?: string }) => `Ya hay una configuración${file && `, ${file}`}, y no se tocó.`,
      'Cámbiela a mano, o use --force para escribir otra.',
    ],
    'input-invalid': byWhy(
      ['Un dato que se dio a un comando no sirve; la frase dice cuál.', 'Corríjalo y repita.'],
      {
        fields: ({ name, fields }: { name: string; fields: string }) =>
          `${name} no entiende lo que recibió${fields && `: ${fields}`}.`,
        password: ({ least, most }: { least: number; most: number }) =>
          `La contraseña debe tener al menos ${least} caracteres y ocupar hasta ${most} bytes: una letra ocupa uno, con tilde dos.`,
        terminal: [
          'No hay una terminal en la que preguntar.',
          'Dé las respuestas como opciones y agregue --yes.',
        ],
        answers: [
          ({ list }: { list: string }) => `Faltan o no sirven estas respuestas:\n${list}\n`,
          'Delas como se indica, o como opciones con --yes.',
        ],
        tool: ({ name }: { name: string }) => `No existe la herramienta ${name}.`,
        code: ({ code, alike }: { code: string; alike: string }) =>
          `Nadie usa el código «${code}»; todos están en docs/errors.md.${alike && ` Parecidos: ${alike}.`}`,
        month: ({ month }: { month: string }) =>
          `«${month}» no es un mes que ya haya empezado: escríbalo como 2026-11.`,
        day: ({ day }: { day: string }) =>
          `El ${day} todavía no llega en Ecuador: cierre un día que ya empezó.`,
        buyer:
          'No se dijo de qué comprador: dé su correo (--email), su teléfono (--phone) o los ids de sus pedidos (--order).',
        ledger: 'No se dijo dónde está el registro: dé directory o url.',
        address:
          'La dirección de destino no es la de una base PostgreSQL: escríbala como postgresql://usuario:clave@servidor/base.',
        issuers: ({ issuers }: { issuers: number }) =>
          `--signature y --logo son de un solo emisor y hay ${issuers}: escríbalos en su emisor de la configuración, o nombre una tienda con --store.`,
        answer: [
          ({ as, held }: { as: string; held: string }) => `«${as}» no responde a lo que pasa. ${held}`,
          final,
        ],
        file: ({ file, reason }: { file: string; reason: string }) => `No se puede leer ${file}: ${reason}.`,
        platform: 'Indique la plataforma con --platform shopify o --platform woocommerce.',
        number: ({ number }: { number: string }) =>
          `«${number}» no es un número de factura: escríbalo como 001-001-000000123, o con su fecha: 001-001-000000123,2026-11-20.`,
        date: ({ date, today }: { date: string; today: string }) =>
          `«${date}» no es una fecha: escríbala como AAAA-MM-DD, por ejemplo ${today}.`,
        future: ({ date, today }: { date: string; today: string }) =>
          `Una factura no puede ser del ${date}: en Ecuador hoy es ${today}.`,
      },
    ),
  },
} satisfies Group;

export const assistant = {
  title: 'Asistente (MCP)',
  seen: 'Como respuesta de una herramienta, para el asistente y quien habla con él.',
  entries: {
    'plan-gone': byWhy(
      [
        'El plan no se puede ejecutar: venció, ya se usó, o cambió lo que mostraba. No se hizo nada.',
        'Pida el plan otra vez, muéstrelo, y ejecute después con su id.',
      ],
      {
        unknown: 'Nadie mostró un plan con ese id.',
        used: 'El plan ya se ejecutó, o se está ejecutando.',
        expired: 'El plan venció.',
        changed: 'Lo que se mostró cambió desde entonces; no se hizo nada.',
      },
    ),
    'plan-production': [
      'El asistente no puede escribir en producción.',
      'Hágalo en el panel o la terminal, o permítalo con mcp.allowProduction.',
    ],
  },
} satisfies Group;
