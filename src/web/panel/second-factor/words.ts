import { inBoth } from '../words.ts';

/** Below the panel. */
export const factorPaths = { code: '/codigo', own: '/segundo-paso', codes: '/segundo-paso/codigos' } as const;

export const factorWords = inBoth(
  {
    code: {
      title: 'Escriba su código',
      lead: 'Abra la aplicación autenticadora de su teléfono y escriba el código que muestra para facturapuente.',
      label: 'Código de seis dígitos',
      submit: 'Entrar',
      recover: '¿No tiene su teléfono a mano?',
      recoverHint:
        'Escriba uno de los códigos de recuperación que guardó al activar la verificación. Cada uno sirve una sola vez.',
      recoverLabel: 'Código de recuperación',
      lost: 'Si tampoco los tiene, pida a quien administra facturapuente que restablezca su verificación en dos pasos.',
      other: 'Entrar con otro usuario',
      wrong: 'El código no es correcto o ya se usó. Espere el siguiente y escríbalo.',
      tooMany: 'Hubo demasiados códigos incorrectos. Espere quince minutos antes de volver a probar.',
    },
    enrol: {
      title: 'Active la verificación en dos pasos',
      lead: 'Para entrar hará falta su contraseña y, además, un código de su teléfono. Así, quien conozca solo su contraseña no puede entrar.',
      install:
        'Instale en su teléfono una aplicación autenticadora, por ejemplo Google Authenticator, Microsoft Authenticator o Aegis.',
      scan: 'Escanee esta imagen con la aplicación.',
      picture: 'Código QR para la aplicación autenticadora',
      open: 'Abrir en la aplicación de este teléfono',
      type: 'Si no puede escanearla, escriba esta clave en la aplicación:',
      copy: 'Copiar la clave',
      confirm: 'Escriba el código de seis dígitos que muestra la aplicación.',
      submit: 'Activar',
      wrong:
        'El código no coincide. Revise que la hora del teléfono sea la correcta y escriba el código que muestra ahora.',
    },
    codes: {
      title: 'Guarde sus códigos de recuperación',
      lead: 'Sirven para entrar cuando no tenga su teléfono; cada uno, una sola vez. Imprímalos o guárdelos donde guarda sus contraseñas: no se vuelven a mostrar.',
      copy: 'Copiar los códigos',
      go: 'Ya los guardé: continuar',
    },
    own: {
      nav: 'Seguridad',
      title: 'Verificación en dos pasos',
      on: 'Está activa desde el',
      left: (count: number) =>
        count === 1 ? 'Le queda 1 código de recuperación.' : `Le quedan ${count} códigos de recuperación.`,
      renew: 'Nuevos códigos de recuperación',
      renewHint: 'Los anteriores dejan de servir. Confirme con el código que muestra ahora su aplicación.',
      submit: 'Generar códigos nuevos',
      off: 'La configuración no la usa (panel.secondFactor: off): para entrar basta la contraseña.',
    },
    copied: 'Copiado.',
  },
  {
    code: {
      title: 'Enter your code',
      lead: 'Open the authenticator app on your phone and type the code it shows for facturapuente.',
      label: 'Six-digit code',
      submit: 'Sign in',
      recover: 'No phone at hand?',
      recoverHint:
        'Type one of the recovery codes you kept when you turned verification on. Each works once.',
      recoverLabel: 'Recovery code',
      lost: 'If you have none left, ask whoever administers facturapuente to reset your two-step verification.',
      other: 'Sign in as somebody else',
      wrong: 'The code is not correct, or was used already. Wait for the next one and type it.',
      tooMany: 'There were too many wrong codes. Wait fifteen minutes before you try again.',
    },
    enrol: {
      title: 'Turn on two-step verification',
      lead: 'Signing in will take your password and a code from your phone, so that nobody gets in with your password alone.',
      install:
        'Install an authenticator app on your phone, for example Google Authenticator, Microsoft Authenticator or Aegis.',
      scan: 'Scan this picture with the app.',
      picture: 'QR code for the authenticator app',
      open: 'Open in the app on this phone',
      type: 'If you cannot scan it, type this key into the app:',
      copy: 'Copy the key',
      confirm: 'Type the six-digit code the app shows.',
      submit: 'Turn on',
      wrong:
        'The code does not match. Check that the time of the phone is right, and type the code it shows now.',
    },
    codes: {
      title: 'Keep your recovery codes',
      lead: 'They let you in when you do not have your phone, each of them once. Print them or keep them where you keep your passwords: they are not shown again.',
      copy: 'Copy the codes',
      go: 'I have kept them: continue',
    },
    own: {
      nav: 'Security',
      title: 'Two-step verification',
      on: 'It has been on since',
      left: (count: number) =>
        count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`,
      renew: 'New recovery codes',
      renewHint: 'The former ones stop working. Confirm with the code your app shows now.',
      submit: 'Make new codes',
      off: 'The config does not use it (panel.secondFactor: off): the password is enough to sign in.',
    },
    copied: 'Copied.',
  },
);
