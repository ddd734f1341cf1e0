import { inBoth, plural } from '../visit.ts';

/** Paths below the panel. */
export const factorPaths = { code: '/codigo', own: '/segundo-paso', codes: '/segundo-paso/codigos' } as const;

export const factorWords = inBoth({
  code: {
    title: ['Escriba su código', 'Enter your code'],
    lead: [
      'Abra la aplicación autenticadora de su teléfono y escriba el código que muestra para facturapuente.',
      'Open the authenticator app on your phone and type the code it shows for facturapuente.',
    ],
    label: ['Código de seis dígitos', 'Six-digit code'],
    submit: ['Entrar', 'Sign in'],
    recover: ['¿No tiene su teléfono?', 'No phone?'],
    recoverHint: [
      'Escriba uno de los códigos de recuperación que guardó al activar la verificación. Cada uno sirve una sola vez.',
      'Type one of the recovery codes you saved when you turned verification on. Each works once.',
    ],
    recoverLabel: ['Código de recuperación', 'Recovery code'],
    lost: [
      'Si tampoco los tiene, pida a quien administra facturapuente que restablezca su verificación en dos pasos.',
      'If you have none left, ask whoever administers facturapuente to reset your two-step verification.',
    ],
    other: ['Entrar con otro usuario', 'Sign in as somebody else'],
    wrong: [
      'El código no es correcto o ya se usó. Espere el siguiente y escríbalo.',
      'The code is not correct, or was used already. Wait for the next one and type it.',
    ],
    tooMany: [
      'Hubo demasiados códigos incorrectos. Espere al menos quince minutos antes de volver a intentarlo.',
      'There were too many wrong codes. Wait at least fifteen minutes before you try again.',
    ],
  },
  enrol: {
    title: ['Active la verificación en dos pasos', 'Turn on two-step verification'],
    lead: [
      'Para entrar hará falta su contraseña y, además, un código de su teléfono. Así, quien conozca solo su contraseña no puede entrar.',
      'Signing in will take your password and a code from your phone, so that nobody gets in with your password alone.',
    ],
    install: [
      'Instale en su teléfono una aplicación autenticadora, por ejemplo Google Authenticator, Microsoft Authenticator o Aegis.',
      'Install an authenticator app on your phone, for example Google Authenticator, Microsoft Authenticator or Aegis.',
    ],
    scan: ['Escanee esta imagen con la aplicación.', 'Scan this picture with the app.'],
    picture: ['Código QR para la aplicación autenticadora', 'QR code for the authenticator app'],
    open: ['Abrir en la aplicación de este teléfono', 'Open in the app on this phone'],
    type: [
      'Si no puede escanearla, escriba esta clave en la aplicación:',
      'If you cannot scan it, type this key into the app:',
    ],
    copy: ['Copiar la clave', 'Copy the key'],
    confirm: [
      'Escriba el código de seis dígitos que muestra la aplicación.',
      'Type the six-digit code the app shows.',
    ],
    submit: ['Activar', 'Turn on'],
    wrong: [
      'El código no coincide. Revise que la hora del teléfono sea la correcta y escriba el código que muestra ahora.',
      'The code does not match. Check that the time of the phone is right, and type the code it shows now.',
    ],
  },
  codes: {
    title: ['Guarde sus códigos de recuperación', 'Save your recovery codes'],
    lead: [
      'Sirven para entrar cuando no tenga su teléfono; cada uno, una sola vez. Imprímalos o guárdelos donde guarda sus contraseñas: no se vuelven a mostrar.',
      'They let you sign in without your phone, each of them once. Print them or store them with your passwords: they are not shown again.',
    ],
    copy: ['Copiar los códigos', 'Copy the codes'],
    go: ['Ya los guardé: continuar', 'I have saved them: continue'],
  },
  own: {
    nav: ['Seguridad', 'Security'],
    title: ['Verificación en dos pasos', 'Two-step verification'],
    on: ['Está activa desde el', 'It has been on since'],
    left: [
      (n: number) =>
        `${n === 1 ? 'Le queda' : 'Le quedan'} ${plural(n, 'código', 'códigos')} de recuperación.`,
      (n: number) => `You have ${plural(n, 'recovery code', 'recovery codes')} left.`,
    ],
    renew: ['Nuevos códigos de recuperación', 'New recovery codes'],
    renewHint: [
      'Los anteriores dejan de servir. Confirme con el código que muestra ahora su aplicación.',
      'The old ones stop working. Confirm with the code your app shows now.',
    ],
    submit: ['Generar códigos nuevos', 'Generate new codes'],
    off: [
      'La configuración no la usa (panel.secondFactor: off): para entrar basta la contraseña.',
      'The config does not use it (panel.secondFactor: off): the password is enough to sign in.',
    ],
  },
  copied: ['Copiado.', 'Copied.'],
});
