// The court figures: half of each, in the frame of a face of 100 by 140; the other half is the same, turned about the
// middle. A few paths for each ink, since a felt may show many of them.

export interface Court {
  /** Robe, hair and beard, in the colour of the suit. */
  fill: string;
  /** Crown, collar and what is held. */
  gold: string;
  /** What is only drawn: the face, folds, stems. */
  line: string;
}

const FACE = "M42.500 36c0 8 2.500 15 7.500 15s7.500-7 7.500-15c0-4-3-7-7.500-7s-7.500 3-7.500 7zM45.200 37.500h2.400M52.400 37.500h2.400M50 38v5l-1.200.6M48 46.500h4";
const ROBE = "M27 69.500c0-8 5-14 14-16l9 6 9-6c9 2 14 8 14 16z";
const COLLAR = "M40.500 53.500l9.500 6.500 9.500-6.500 1.500 3.200-11 7.800-11-7.800z";
const FOLDS = "M34 60l2.500 9.500M66 60l-2.500 9.500M50 64.500v5";

export const COURTS: Readonly<Record<string, Court>> = {
  J: {
    fill: `${ROBE}M41.800 33c-3.500 5-3.500 12-1.800 16.500l3.600-1.200c-1.600-4-1.800-8-.6-12zM58.200 33c3.500 5 3.500 12 1.800 16.500l-3.600-1.200c1.600-4 1.800-8 .6-12z`,
    gold: `${COLLAR}M39.500 31.500c0-7 4.500-10.500 10.500-10.500 6.500 0 10.500 2.500 11.500 6.500-4-.5-6.500.5-8.500 3-4.500-1.500-9-1-13.500 1zM60 25.500c4.500-.5 8-3.500 8.500-7.500-4.500-.5-8 2-9 6z`,
    line: `${FACE}${FOLDS}M69 34v27M69 27l-3 7h6z`,
  },
  Q: {
    fill: `${ROBE}M42 31c-5 6-6 15-4.500 23l5.500-1.500c-2-6-2-12-.5-17.500zM58 31c5 6 6 15 4.500 23l-5.500-1.500c2-6 2-12 .5-17.500z`,
    gold: `${COLLAR}M40.500 31.500l-1.500-7 5.500 2.500 2.500-5.500 3 4 3-4 2.500 5.500 5.500-2.500-1.500 7c-6-2.200-13-2.200-19 0zM69 40a3 3 0 1 0 .1 0zM65.500 44.500a2.200 2.200 0 1 0 .1 0zM72.300 44.500a2.200 2.200 0 1 0 .1 0z`,
    line: `${FACE}${FOLDS}M69 47v13M69 54c-2-.5-3.500-2-3.500-4`,
  },
  K: {
    fill: `${ROBE}M41.500 38c-1 10 2.500 19 8.500 19s9.500-9 8.500-19c-1.500 6-4 7-8.500 7s-7-1-8.500-7z`,
    gold: `${COLLAR}M40 31.500l-2-10.500 6.200 4 2.300-6.500 3.500 4.500 3.500-4.500 2.300 6.500 6.200-4-2 10.500c-6-2-14-2-20 0zM65.500 52.500h7v2.200h-7z`,
    line: `${FACE}${FOLDS}M69 24v36`,
  },
};
