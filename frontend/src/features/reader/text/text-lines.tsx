import { memo, type CSSProperties } from 'react';
import { measureTextWidth } from './text-metrics';
import { withSeparator, SOFT_HYPHEN, type PageRect, type Line, type Word } from './page-words';

interface Props {
  lines: readonly Line[];
  /** Width of the page divided by its height. */
  aspectRatio: number;
}

/** A chunk of text lines on top of a page's image: invisible, but selectable and available to screen readers. */
export const TextLines = memo(function TextLines({ lines, aspectRatio }: Props) {
  return lines.map((line, index) => <TextLine key={index} line={line} aspectRatio={aspectRatio} />);
});

function TextLine({ line, aspectRatio }: { line: Line; aspectRatio: number }) {
  const last = line.words.length - 1;
  return (
    // Extends to the edge of the page: a selection dragged beyond the last word ends with it, not with the text above.
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

/** Extends to the next word, and the last word to the end of its line: in Firefox a selection ends only within text. */
function selectableWordWidth(line: Line, [, x, , w]: Word, next: Word | undefined): number {
  const end = next ? next[1] : line.x + selectableWidth(line);
  return Math.max(w, end - x);
}

/** Position of an area within its page. */
export const rectStyle = ({ x, y, w, h }: PageRect): CSSProperties => ({
  left: `${x / 10}%`,
  top: `${y / 10}%`,
  width: `${w / 10}%`,
  height: `${h / 10}%`,
});

/** Sizes a word as in the image, in units of the page's height, so that zooming moves no letter. */
function wordStyle(line: Line, word: Word, next: Word | undefined, aspectRatio: number): CSSProperties {
  const [text, x, y, w, h] = word;
  const position = {
    left: `${(100 * (x - line.x)) / selectableWidth(line)}%`,
    top: `${(100 * (y - line.y)) / (line.h || 1)}%`,
  };
  // A word of several letters that is much taller than wide is vertical text.
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
