/** What is said of a draft that two tabs change at once. */
export default {
  text: 'This draft was changed elsewhere meanwhile, perhaps in another tab. Nothing is saved or sent from here until you choose.',
  theirs: 'Show the other version',
  mine: 'Keep what stands here',
};
