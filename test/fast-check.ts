import fc from 'fast-check';
import { SEED } from './seed.js';

// Random values follow the run's seed, also in properties that set no seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
