/** What is said of a draft that two tabs change at once. */
export default {
  text: 'This draft was changed elsewhere, perhaps in another tab. Nothing is saved or sent from here until you choose a version.',
  theirs: 'Show the other version',
  mine: 'Keep this version',
};
