//! Lists of what may be done now, in the room of a number: views are made anew at every change.

use core::fmt;

/// A choice of acts, reports or services.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Set<T> {
    bits: u32,
    of: core::marker::PhantomData<T>,
}

/// What can be in a [`Set`].
pub trait Listed: Copy + 'static + fmt::Debug {
    /// All there are, fewer than 32.
    fn all() -> &'static [Self];
    /// The place among them.
    fn at(self) -> u32;
}

impl<T: Listed> Set<T> {
    /// None of them.
    #[must_use]
    pub fn none() -> Self {
        Self { bits: 0, of: core::marker::PhantomData }
    }

    pub(super) fn set(&mut self, item: T, is_in: bool) {
        self.bits |= u32::from(is_in) << item.at();
    }

    /// What is in both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { bits: self.bits & other.bits, of: core::marker::PhantomData }
    }

    /// Whether it is in.
    #[must_use]
    pub fn contains(self, item: T) -> bool {
        self.bits & (1 << item.at()) != 0
    }

    /// Those that are in.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::all().iter().copied().filter(move |item| self.contains(*item))
    }
}

impl<T: Listed> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An enumeration that a [`Set`] can have: its variants in order, with what each stands for.
macro_rules! listed {
    ($(#[doc = $about:literal])+ pub enum $name:ident; $($(#[doc = $doc:literal])+ $variant:ident,)+) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name { $($(#[doc = $doc])+ $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
        }

        impl $crate::view::set::Listed for $name {
            fn all() -> &'static [Self] {
                Self::ALL
            }
            #[expect(clippy::as_conversions, reason = "the number of a variant without fields")]
            fn at(self) -> u32 {
                self as u32
            }
        }
    };
}
pub(super) use listed;
