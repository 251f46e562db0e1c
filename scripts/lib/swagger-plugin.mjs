import { before as addSchemas } from '@nestjs/swagger/plugin';

/**
 * Wraps the compiler plugin of @nestjs/swagger, so that it works in any folder. The plugin (12.0.2) makes the type
 * checker's absolute import paths relative and fails in two cases (nestjs/swagger#689, #3695). The type checker prints
 * `ö` as `\u00F6`, whose backslash the plugin takes for a Windows separator. And it decodes `%41` in source paths, but
 * not in `rootDir` and `outDir`.
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
      rootDir: decodePath(compilerOptions.rootDir),
      outDir: decodePath(compilerOptions.outDir),
    }),
  });
};

/** Only in import paths: elsewhere in a type, an escape sequence may be part of a string. */
const unescapeImports = (type) =>
  type.replace(/import\("[^"]*"/g, (text) => text.replace(/\\u([0-9A-F]{4})/g, toCharacter));

const toCharacter = (_, code) => String.fromCharCode(Number.parseInt(code, 16));

/** Decodes a path as the plugin decodes source paths. */
function decodePath(path) {
  try {
    return path && decodeURIComponent(path);
  } catch {
    return path;
  }
}
