/** Stands for style sheets and pictures, which tests of components never look into. */
module.exports = 'asset';
