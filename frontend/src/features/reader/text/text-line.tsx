import { memo, type CSSProperties } from 'react';
import { widthOf } from './letters';
import { copied, hyphen, type Box, type Line, type Word } from './page-words';

interface Props {
  lines: readonly Line[];
  /** The width of the page by its height. */
  ratio: number;
}

/** Lines of a page over its picture, which are put in together: not seen, but selected, copied and read aloud. */
export const TextLines = memo(function TextLines({ lines, ratio }: Props) {
  return lines.map((line, at) => <TextLine key={at} line={line} ratio={ratio} />);
});

function TextLine({ line, ratio }: { line: Line; ratio: number }) {
  const last = line.words.length - 1;
  return (
    // As far as the edge: what is drawn with the mouse beyond the last word ends with it, not with what is nearest above.
    <p style={placed({ ...line, w: reachOf(line) })}>
      {line.words.map((word, at) => (
        <span key={at} style={placedIn(line, word, line.words[at + 1], ratio)}>
          {copied(word[0], at === last)}
        </span>
      ))}
    </p>
  );
}

const reachOf = ({ x, w }: Box) => Math.max(1, w, 1000 - x);

/** As far as the next word, and the last one as far as its line: in Firefox a selection ends only in what has letters. */
function extentOf(line: Line, [, x, , w]: Word, next: Word | undefined): number {
  const end = next ? next[1] : line.x + reachOf(line);
  return Math.max(w, end - x);
}

/** Where a part of a page stands in it. */
export const placed = ({ x, y, w, h }: Box): CSSProperties => ({
  ...{ left: `${x / 10}%`, top: `${y / 10}%`, width: `${w / 10}%`, height: `${h / 10}%` },
});

/** A word as high and as wide as it stands in the picture, by the page's height as the unit: a zoom moves no letter. */
function placedIn(line: Line, word: Word, next: Word | undefined, ratio: number): CSSProperties {
  const [text, x, y, w, h] = word;
  const place = {
    left: `${(100 * (x - line.x)) / reachOf(line)}%`,
    top: `${(100 * (y - line.y)) / (line.h || 1)}%`,
  };
  // A word of several letters that is far higher than wide is written upwards or downwards.
  const isUpright = text.length > 2 && h > 2 * w * ratio;
  const size = isUpright ? w * ratio : h;
  const length = isUpright ? h : w * ratio;
  const natural = widthOf(text.replace(hyphen, ''));
  const scale = natural && size ? length / (natural * size) : 1;
  const fontSize = `${size / 10}cqh`;
  if (isUpright) return { ...place, fontSize, writingMode: 'vertical-rl', transform: `scaleY(${scale.toFixed(3)})` };
  const width = `${(100 * extentOf(line, word, next)) / (reachOf(line) * scale)}%`;
  return { ...place, width, fontSize, transform: `scaleX(${scale.toFixed(3)})` };
}
