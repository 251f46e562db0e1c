// Imported before everything else: an old Node version should print a clear error instead of failing on unknown syntax.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Zonary needs Node 20.19 or newer to install itself, but this is ${process.versions.node}. See nodejs.org.`,
  );
  process.exit(1);
}
