import { before as addSchemas } from '@nestjs/swagger/plugin';

/**
 * The compiler plugin of @nestjs/swagger, for a project below any folder.
 *
 * The plugin (12.0.2) turns absolute import paths, as the type checker prints them, into relative ones, and fails in two
 * cases (nestjs/swagger#689, #3695). The type checker prints `ö` as `\u00F6`, whose backslash the plugin takes for a
 * separator of Windows. And it decodes `%41` in the paths of sources, but not in `rootDir` and `outDir`.
 */
export const before = (options, program) => {
  const checker = program.getTypeChecker();
  const typeToString = (...args) => unescapeImports(checker.typeToString(...args));
  const compilerOptions = program.getCompilerOptions();
  return addSchemas(options, {
    ...program,
    getTypeChecker: () => ({ ...checker, typeToString }),
    getCompilerOptions: () => ({
      ...compilerOptions,
      rootDir: decoded(compilerOptions.rootDir),
      outDir: decoded(compilerOptions.outDir),
    }),
  });
};

/** Only in import paths: elsewhere in a type an escape sequence may be part of a string. */
const unescapeImports = (type) =>
  type.replace(/import\("[^"]*"/g, (text) => text.replace(/\\u([0-9A-F]{4})/g, toCharacter));

const toCharacter = (_, code) => String.fromCharCode(Number.parseInt(code, 16));

/** As the plugin decodes the paths of sources. */
function decoded(path) {
  try {
    return path && decodeURIComponent(path);
  } catch {
    return path;
  }
}
