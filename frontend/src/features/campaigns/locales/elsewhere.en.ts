/** Texts for a draft that is changed in two tabs at once. */
export default {
  text: 'This draft was changed elsewhere, perhaps in another tab. Nothing is saved or sent from here until you choose a version.',
  theirs: 'Show the Other Version',
  mine: 'Keep This Version',
};
