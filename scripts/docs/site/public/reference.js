/**
 * Requests go to this very service. A write that is tried stores nothing until `dry_run` is switched off. Other optional
 * parameters are empty: Scalar would send an example, or the first of the values.
 */
function forTrying(api) {
  for (const path of Object.values(api.paths)) {
    delete path.servers;
    for (const parameter of Object.values(path).flatMap(({ parameters }) => parameters ?? [])) {
      if (parameter.name !== 'dry_run' && !parameter.required) leaveEmpty(parameter);
    }
  }
  return { ...api, servers: [{ url: location.origin }] };
}

function leaveEmpty(parameter) {
  const { enum: values, ...schema } = parameter.schema;
  delete parameter.example;
  parameter.schema = schema;
  if (values) parameter.description += ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
}

const CONTRAST = `
  .light-mode { --scalar-color-2: #4d4d4d; --scalar-color-3: #636363; --scalar-color-green: #00693e; --scalar-color-orange: #a33b00; --scalar-color-yellow: #7a5b00; --scalar-color-blue: #0b60a8; --scalar-color-red: #b3261e; --scalar-color-purple: #6f3fb5; --scalar-color-accent: #14505c; }
  .dark-mode { --scalar-color-2: #b8b8b8; --scalar-color-3: #a0a0a0; --scalar-color-accent: #7fc4d1; }`;

fetch('/openapi.json')
  .then((answer) => answer.json())
  .then((api) =>
    window.Scalar.createApiReference('#reference', {
      content: forTrying(api),
      authentication: { preferredSecurityScheme: 'secretKey' },
      agent: { disabled: true },
      mcp: { disabled: true },
      customCss: CONTRAST,
      defaultOpenAllTags: true,
      documentDownloadType: 'none',
      hideClientButton: true,
      hideModels: true,
      persistAuth: false,
      showDeveloperTools: 'never',
      telemetry: false,
      withDefaultFonts: false,
    }),
  );
