/** Replaces style sheets and images, whose content component tests don't use. */
module.exports = 'asset';
