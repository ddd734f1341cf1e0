import type { Group } from './message.ts';

/** ConfigError: about the installation, not an order. */
export const setup = {
  title: 'Configuración e instalación',
  seen: 'En la terminal y en los endpoints de los comandos (`error`), para quien instala.',
  entries: {
    'config-missing': ['No hay configuración en la carpeta.', 'Créela con init, o indíquela con --config.'],
    'config-unreadable': [
      'El archivo no se puede leer, o no es YAML ni JSON.',
      'Corrija la línea que se nombra.',
    ],
    'config-invalid': [
      'La configuración tiene datos equivocados; se listan todos.',
      'Corrija cada ruta (docs/config.md).',
    ],
    'platform-empty': [
      'Un módulo de platforms no exporta ninguna plataforma.',
      'Exporte la que hace definePlatform (docs/adapters.md).',
    ],
    'platform-unreadable': [
      'Un módulo de platforms no se pudo cargar.',
      'Revise la ruta, o instale el paquete.',
    ],
    'production-unconfirmed': [
      'Una tienda emitiría en producción y nadie lo ha confirmado.',
      'Si es lo que quiere, «install --production»; si no, ambiente: 1.',
    ],
    'sandbox-missing': [
      'El comando viene con el paquete facturapuente-sandbox, que no está instalado.',
      'npm install --save-dev facturapuente-sandbox.',
    ],
    'secret-missing': [
      'Con PostgreSQL falta secret.',
      'Genere uno con «openssl rand -base64 32» y póngalo en FACTURAPUENTE_SECRET.',
    ],
    'secret-changed': [
      'secret no es el que protegió el registro.',
      'Use el contenido de secret.key, o consérvelo en oldSecrets.',
    ],
    'secret-damaged': ['secret.key está dañado.', 'Recupérelo de un respaldo (docs/upgrade.md).'],
    'port-unusable': ['El puerto está ocupado o no se puede usar.', 'Elija otro con --port o port.'],
    'tracing-missing': [
      'tracing.enabled pide OpenTelemetry, que no está instalado.',
      'Ejecute el npm install que se indica.',
    ],
    'unknown-store': [
      'No hay una tienda con ese nombre, o start arrancó sin ella.',
      'Revise el nombre; reinicie start.',
    ],
    'which-store': ['Hay varias tiendas y no se dijo cuál.', 'Indíquela con --store.'],
    'store-count': ['El archivo de «store add» no tiene exactamente una tienda.', 'Deje una.'],
    'store-file': ['El archivo de «store add» no se pudo leer.', 'Revise la ruta.'],
    'store-busy': ['La tienda tiene comprobantes en camino.', 'Espere a que terminen y repita.'],
    'store-raced': ['Alguien más cambió la tienda a la vez.', 'Repita.'],
    'shop-twice': [
      'La tienda que se agrega es la misma que la de otra, o una copia de ella.',
      'Use la que ya está, o quítela primero con «store remove».',
    ],
    'shop-not-held': ['La tienda no está retenida.', 'Nada.'],
    'confirm-other': [
      'Lo que se confirma no responde a lo que pasa.',
      'Use una de las respuestas que se indican.',
    ],
    'no-api': ['La tienda no tiene acceso a su API.', 'Complete su conexión con install.'],
    'no-catalog': [
      'La plataforma de la tienda no da a conocer sus productos.',
      'Revise los pedidos con rehearse.',
    ],
    'no-install': ['La plataforma de la tienda no tiene nada que instalar o quitar desde aquí.', 'Nada.'],
    'install-files': [
      '--signature y --logo son de un solo emisor y hay varios.',
      'Nombre una tienda con --store, o escríbalos en el emisor.',
    ],
    'init-answer': ['Una respuesta de init no sirve.', 'Corríjala como se indica.'],
    'init-missing': ['Faltan respuestas de init.', 'Délas como opciones.'],
    'init-exists': ['Ya hay una configuración.', 'Cámbiela a mano, o use --force.'],
    'init-no-terminal': [
      'No hay terminal en la que preguntar.',
      'Dé las respuestas como opciones, con --yes.',
    ],
    'init-stopped': ['Se detuvo antes de terminar; no se escribió nada.', 'Repita.'],
    'password-short': ['La contraseña tiene menos de 12 caracteres.', 'Elija una más larga.'],
    'password-long': ['La contraseña ocupa más de 128 bytes.', 'Elija una más corta.'],
    'move-from': ['El registro ya está en PostgreSQL.', 'Nada: solo se mueve una carpeta.'],
    'code-unknown': ['Nadie usa ese código.', 'Búsquelo en docs/errors.md.'],
    'buyer-missing': ['No se dijo de qué comprador.', 'Indíquelo con --email, --phone o --order.'],
    'unknown-request': ['No hay una solicitud de un comprador con ese número.', 'Mire «privacy list».'],
    'request-done': ['La solicitud ya se cumplió.', 'Nada.'],
  },
} satisfies Group;

/** Refusals to an assistant, which reads the same sentences. */
export const assistant = {
  title: 'Asistente (MCP)',
  seen: 'Como respuesta de una herramienta, para el asistente y quien habla con él.',
  entries: {
    'tool-unknown': ['No existe una herramienta con ese nombre.', 'Use una de las que se ofrecen.'],
    'tool-input': ['La herramienta no entiende lo que recibió.', 'Corrija los campos que se nombran.'],
    'store-unknown': [
      'La tienda del pedido ya no está en la configuración.',
      'Añádala otra vez, o use otro pedido.',
    ],
    'order-unread': [
      'La tienda no tiene ese pedido, o no da acceso a su API.',
      'Revise el número, o complete la conexión.',
    ],
    'plan-unknown': [
      'Nadie mostró un plan con ese id.',
      'Pida primero el plan, muéstrelo, y ejecute después con su id.',
    ],
    'plan-used': ['El plan ya se ejecutó, o se está ejecutando.', 'Pida otro.'],
    'plan-expired': ['El plan venció.', 'Pida otro y muéstrelo.'],
    'plan-changed': ['Lo que se mostró cambió desde entonces; no se hizo nada.', 'Pida el plan otra vez.'],
    'plan-production': [
      'El asistente no puede escribir en producción.',
      'Hágalo en el panel o la terminal, o permítalo con mcp.allowProduction.',
    ],
  },
} satisfies Group;
