import { memo, type CSSProperties } from 'react';
import { measureTextWidth } from './text-metrics';
import { withSeparator, SOFT_HYPHEN, type PageRect, type Line, type Word } from './page-words';

interface Props {
  lines: readonly Line[];
  /** The width of the page by its height. */
  aspectRatio: number;
}

/** Lines of a page over its picture, which are put in together: not seen, but selected, copied and read aloud. */
export const TextLines = memo(function TextLines({ lines, aspectRatio }: Props) {
  return lines.map((line, index) => <TextLine key={index} line={line} aspectRatio={aspectRatio} />);
});

function TextLine({ line, aspectRatio }: { line: Line; aspectRatio: number }) {
  const last = line.words.length - 1;
  return (
    // As far as the edge: what is drawn with the mouse beyond the last word ends with it, not with what is nearest above.
    <p style={rectStyle({ ...line, w: selectableWidth(line) })}>
      {line.words.map((word, index) => (
        <span key={index} style={wordStyle(line, word, line.words[index + 1], aspectRatio)}>
          {withSeparator(word[0], index === last)}
        </span>
      ))}
    </p>
  );
}

const selectableWidth = ({ x, w }: PageRect) => Math.max(1, w, 1000 - x);

/** As far as the next word, and the last one as far as its line: in Firefox a selection ends only in what has letters. */
function selectableWordWidth(line: Line, [, x, , w]: Word, next: Word | undefined): number {
  const end = next ? next[1] : line.x + selectableWidth(line);
  return Math.max(w, end - x);
}

/** Where a part of a page stands in it. */
export const rectStyle = ({ x, y, w, h }: PageRect): CSSProperties => ({
  ...{ left: `${x / 10}%`, top: `${y / 10}%`, width: `${w / 10}%`, height: `${h / 10}%` },
});

/** A word as high and as wide as it stands in the picture, by the page's height as the unit: a zoom moves no letter. */
function wordStyle(line: Line, word: Word, next: Word | undefined, aspectRatio: number): CSSProperties {
  const [text, x, y, w, h] = word;
  const position = {
    left: `${(100 * (x - line.x)) / selectableWidth(line)}%`,
    top: `${(100 * (y - line.y)) / (line.h || 1)}%`,
  };
  // A word of several letters that is far higher than wide is written upwards or downwards.
  const isVertical = text.length > 2 && h > 2 * w * aspectRatio;
  const size = isVertical ? w * aspectRatio : h;
  const length = isVertical ? h : w * aspectRatio;
  const measuredWidth = measureTextWidth(text.replace(SOFT_HYPHEN, ''));
  const scale = measuredWidth && size ? length / (measuredWidth * size) : 1;
  const fontSize = `${size / 10}cqh`;
  if (isVertical)
    return { ...position, fontSize, writingMode: 'vertical-rl', transform: `scaleY(${scale.toFixed(3)})` };
  const width = `${(100 * selectableWordWidth(line, word, next)) / (selectableWidth(line) * scale)}%`;
  return { ...position, width, fontSize, transform: `scaleX(${scale.toFixed(3)})` };
}
