/** `POST /v1/inventory` and whatever else takes `dry_run`. */
const checkable = new Set();

/** Requests go to this very service. Samples have no optional parameters: Scalar would send an example, or the first of the values. */
function forTrying(api) {
  for (const [path, { servers, ...operations }] of Object.entries(api.paths)) {
    api.paths[path] = operations;
    for (const [method, { parameters = [] }] of Object.entries(operations))
      for (const parameter of parameters.filter(({ required }) => !required)) {
        if (parameter.name === 'dry_run') {
          checkable.add(`${method.toUpperCase()} ${path}`);
          parameter.description +=
            ' A request that you send from this page stores nothing unless you set `false`.';
        }
        leaveEmpty(parameter);
      }
  }
  return { ...api, servers: [{ url: location.origin }] };
}

function leaveEmpty(parameter) {
  const { enum: values, default: usual, ...schema } = parameter.schema;
  delete parameter.example;
  parameter.schema = schema;
  if (values) parameter.description += ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
  if (usual !== undefined) parameter.description += ` Default: \`${usual}\`.`;
}

function checkOnly({ requestBuilder: { method, path, query } }) {
  if (checkable.has(`${method} ${path.raw}`) && !query.has('dry_run')) query.set('dry_run', 'true');
}

/** Colours that can be read, and tabs and paths of any length in sight. */
const STYLES = `
  .tab-list.tab-list { flex-wrap: wrap; overflow: visible; }
  .scalar-card-header-title.truncate { white-space: normal; overflow-wrap: anywhere; }
  section.section:focus { outline: none; }
  .endpoints .endpoint-path { overflow-wrap: anywhere; white-space: normal; }
  .light-mode { --scalar-color-2: #4d4d4d; --scalar-color-3: #636363; --scalar-color-green: #00693e; --scalar-color-orange: #a33b00; --scalar-color-yellow: #7a5b00; --scalar-color-blue: #0b60a8; --scalar-color-red: #b3261e; --scalar-color-purple: #6f3fb5; --scalar-color-accent: #14505c; }
  .dark-mode { --scalar-color-2: #b8b8b8; --scalar-color-3: #a0a0a0; --scalar-color-accent: #7fc4d1; }`;

fetch('/openapi.json')
  .then((answer) => answer.json())
  .then((api) =>
    window.Scalar.createApiReference('#reference', {
      content: forTrying(api),
      authentication: { preferredSecurityScheme: 'secret-key' },
      agent: { disabled: true },
      mcp: { disabled: true },
      customCss: STYLES,
      defaultOpenAllTags: true,
      documentDownloadType: 'none',
      hideClientButton: true,
      hideModels: true,
      onBeforeRequest: checkOnly,
      persistAuth: false,
      showDeveloperTools: 'never',
      telemetry: false,
      withDefaultFonts: false,
    }),
  );
