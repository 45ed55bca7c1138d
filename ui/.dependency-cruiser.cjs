/**
 * The floors of the UI: shell → pages → stream, parts, api.
 * `npm run floors` also fails when nothing was cruised (scripts/floors.mjs).
 */
const room = (name) => `^src/${name}/`;
const TESTS = '\\.test\\.tsx?$';

module.exports = {
  forbidden: [
    {
      name: 'every-file-has-a-room',
      comment:
        'A file lies in shell, pages, parts, stream, api or testing; only main.tsx stands outside.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: '^src/((shell|pages|parts|stream|api|testing)/|main\\.tsx$)' },
    },
    {
      name: 'a-page-knows-no-other-page',
      comment: 'What two pages share belongs into parts.',
      severity: 'error',
      from: { path: '^src/pages/([^/]+)/' },
      to: { path: '^src/pages/', pathNot: '^src/pages/$1/' },
    },
    {
      name: 'pages-do-not-know-the-shell',
      comment: 'The shell mounts the pages.',
      severity: 'error',
      from: { path: room('pages'), pathNot: TESTS },
      to: { path: room('shell') },
    },
    {
      name: 'parts-fetch-nothing',
      comment: 'A part gets props; types of the API are allowed, calls are not.',
      severity: 'error',
      from: { path: room('parts'), pathNot: TESTS },
      to: {
        path: ['^src/(shell|pages|stream|api)/', 'node_modules/(@tanstack/react-query|openapi-)'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-stream-knows-only-the-api',
      comment: 'stream is one connection and pure functions; it draws nothing.',
      severity: 'error',
      from: { path: room('stream'), pathNot: TESTS },
      to: { path: '^src/(shell|pages|parts)/' },
    },
    {
      name: 'the-api-knows-nobody',
      comment: 'Generated types and the client made from them.',
      severity: 'error',
      from: { path: room('api'), pathNot: TESTS },
      to: { path: '^src/(shell|pages|parts|stream)/' },
    },
    {
      name: 'only-tests-use-testing',
      comment: 'Helpers of tests stay out of the product.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, room('testing')] },
      to: { path: room('testing') },
    },
    {
      name: 'no-circle',
      comment: 'Not even one made of types only.',
      severity: 'error',
      from: { pathNot: 'routeTree\\.gen' },
      to: { circular: true, viaOnly: { pathNot: 'routeTree\\.gen' } },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would hide what it breaks.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file that nobody imports is dead, or forgotten.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/main\\.tsx$', TESTS] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'browser', 'default'],
    },
  },
};
