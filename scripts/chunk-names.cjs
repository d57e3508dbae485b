// A loader of webpack, which ncc contains: ncc takes no plugins, and a loader can reach the compilation. It changes no
// code. It names each chunk of the bundle after its module, instead of by a number, so that a reader of a diff sees
// which part has changed. A CommonJS module: the loaders of ncc can be nothing else.
const { join, relative, sep } = require('node:path');

/** `site.receive` of `src/site/receive.js`; the name of a package. */
function nameOf(path, root) {
  const [, inPackage] = path.split(/^.*[\\/]node_modules[\\/]/);
  if (inPackage !== undefined) {
    const [first, second] = inPackage.split(/[\\/]/);
    return first.startsWith('@') ? `${first.slice(1)}-${second}` : first;
  }
  const words = relative(root, path)
    .replace(/\.js$/, '')
    .split(sep)
    .filter((word) => word !== 'src');
  return words.join('.');
}

module.exports = function nameChunks(source) {
  const compilation = this._compilation;
  // Beside the entry is the empty module.
  const root = join(this.context, '../..');
  const modulesOf = (chunk) => [...compilation.chunkGraph.getChunkModulesIterable(chunk)];
  // The modules that are imported on demand, and bring the chunk.
  const importedOf = (chunk) =>
    [...chunk.groupsIterable]
      .flatMap((group) => [...group.blocksIterable])
      .map((block) => compilation.moduleGraph.getModule(block.dependencies[0]));
  compilation.hooks.beforeChunkIds.tap('chunk names', (chunks) => {
    const taken = new Set();
    for (const chunk of chunks) {
      // The entry: index.js.
      if (chunk.canBeInitial()) continue;
      const modules = modulesOf(chunk).sort((a, b) => b.size() - a.size());
      const imported = importedOf(chunk);
      // A chunk that several others share has none of theirs: its largest module gives the name.
      const named = modules.find((module) => imported.includes(module)) ?? modules[0];
      const name = nameOf(named.nameForCondition(), root);
      let id = name;
      for (let count = 2; taken.has(id); count += 1) id = `${name}-${count}`;
      taken.add(id);
      chunk.id = id;
      chunk.ids = [id];
    }
  });
  return source;
};
